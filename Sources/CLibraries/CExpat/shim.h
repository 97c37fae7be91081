#include <expat.h>

/// Makes the parser report each token as soon as it is whole. From 2.6 on, expat may otherwise keep a whole stanza back
/// until more bytes follow, which on a connection come only after the answer.
static inline void pharos_report_tokens_at_once(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 6)
    XML_SetReparseDeferralEnabled(parser, XML_FALSE);
#else
    (void)parser;
#endif
}
