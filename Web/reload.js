/** Shows the page on show again, with what the server says now. */
export function reload() {
    window.dispatchEvent(new HashChangeEvent('hashchange'));
}
