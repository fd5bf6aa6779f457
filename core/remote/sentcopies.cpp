#include "core/remote/sentcopies.h"

#include "core/store/sentfiles.h"

namespace wb::remote {

void keepCopies(const std::string& stateFolder, const std::vector<Bundle>& sent)
{
    std::vector<store::SentBytes> files;
    for (const Bundle& bundle : sent)
        for (const BundleFile& file : bundle.files)
            files.push_back({file.sha256, file.bytes});
    (void)store::keepSent(stateFolder, files);
}

} // namespace wb::remote
