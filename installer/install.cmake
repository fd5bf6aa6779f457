# What "cmake --install" puts where. The programs look for their recipes and samples in share/srt-workbench beside their bin folder.
include(GNUInstallDirs)

set(srtwb_data ${CMAKE_INSTALL_DATADIR}/srt-workbench)
install(DIRECTORY recipes DESTINATION ${srtwb_data})
if(EXISTS ${CMAKE_SOURCE_DIR}/resources/samples)
    install(DIRECTORY resources/samples DESTINATION ${srtwb_data})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET srtwb)
    install(TARGETS srtwb RUNTIME)
    install(TARGETS srtwb-askpass RUNTIME)
    install(FILES installer/man/srtwb.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

if(TARGET srt-workbench)
    install(TARGETS srt-workbench RUNTIME)
    install(FILES installer/man/srt-workbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES installer/org.srtworkbench.Workbench.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES installer/org.srtworkbench.Workbench.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES resources/icons/srt-workbench.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
    if(TARGET KF5::SyntaxHighlighting)
        # Our own build of it for Qt 6 (Debian 12) is nobody else's library: it goes into a folder of ours, where only we look for it.
        set(srtwb_private_libs ${CMAKE_INSTALL_LIBDIR}/srt-workbench)
        install(FILES $<TARGET_FILE:KF5::SyntaxHighlighting> DESTINATION ${srtwb_private_libs}
            RENAME $<TARGET_SONAME_FILE_NAME:KF5::SyntaxHighlighting>)
        file(RELATIVE_PATH srtwb_libs_from_bin /${CMAKE_INSTALL_BINDIR} /${srtwb_private_libs})
        set_target_properties(srt-workbench PROPERTIES INSTALL_RPATH "\$ORIGIN/${srtwb_libs_from_bin}")
    endif()
endif()
