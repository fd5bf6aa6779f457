#include "ui/editor/recipeeditor.h"
