#pragma once
#include <stddef.h>

/// One file of the folder `Web`, as it was when the program was built.
struct console_asset {
    /// Path inside the folder: `pages/campaigns.js`.
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

/// The asset at this place, or NULL behind the last one.
const struct console_asset *console_asset_at(size_t place);
