#include "ui/charts/chartview.h"
