// The files of the folder Web, embedded. Written by scripts/lib/console_assets.py: run it when a file comes or goes.
#include "CConsoleAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "../../../Web/app.js"
};
static const unsigned char icons_pharos_svg[] = {
#embed "../../../Web/icons/pharos.svg"
};
static const unsigned char index_html[] = {
#embed "../../../Web/index.html"
};
static const unsigned char style_base_css[] = {
#embed "../../../Web/style/base.css"
};

static const struct console_asset assets[] = {
    {"app.js", app_js, sizeof app_js},
    {"icons/pharos.svg", icons_pharos_svg, sizeof icons_pharos_svg},
    {"index.html", index_html, sizeof index_html},
    {"style/base.css", style_base_css, sizeof style_base_css},
};

const struct console_asset *console_asset_at(size_t place) {
    return place < sizeof assets / sizeof assets[0] ? &assets[place] : NULL;
}
