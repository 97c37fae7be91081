// The console's JSON API and the emulator's, as the server documents them in /console/v1/openapi.json.

const CONSOLE = '/console/v1';
const EMULATOR = '/emulator/v1';

/** A refusal of the server, in words for people. */
class APIError extends Error {
    /** @param {number} status The HTTP status; 0 when the server did not answer. */
    constructor(status, code, message, violations = []) {
        super(message);
        this.status = status;
        this.code = code;
        /** @type {{field: string, description: string}[]} */
        this.violations = violations;
    }
}

/** Set at sign-in; state-changing calls carry it. */
let csrfToken = '';

/** @param {string} token */
export function useCSRFToken(token) {
    csrfToken = token ?? '';
}

/**
 * Calls the console's API.
 * @param {string} method
 * @param {string} path Below /console/v1, built with `path`.
 * @param {Object} [options] `body`: a value for JSON; `query`; `signal`: ends the call when its page is left.
 * @returns {Promise<any>} The answer's JSON, or `{}`.
 */
export function call(method, path, options = {}) {
    const headers = method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken };
    return send(method, CONSOLE + path + queryText(options.query), { ...options, headers });
}

export const get = (path, query, signal) => call('GET', path, { query, signal });
export const post = (path, body = {}) => call('POST', path, { body });
export const put = (path, body) => call('PUT', path, { body });
export const patch = (path, body) => call('PATCH', path, { body });
export const remove = (path) => call('DELETE', path);

/** Calls the emulator's own API, which only `pharos dev` has. */
export function emulator(method, path, body, signal) {
    return send(method, EMULATOR + path, { body, signal, headers: {} });
}

/** A path of the API with each value encoded: path`/projects/${id}/apps`. */
export function path(texts, ...values) {
    return texts.reduce((whole, text, place) => whole + encodeURIComponent(values[place - 1]) + text);
}

/** The address of something that the browser downloads itself. */
export function downloadAddress(where, query) {
    return CONSOLE + where + queryText(query);
}

function queryText(query) {
    const given = Object.entries(query ?? {}).filter(([, value]) => ![undefined, null, ''].includes(value));
    return given.length ? `?${new URLSearchParams(given)}` : '';
}

async function send(method, address, { body, headers, signal }) {
    const hasBody = body !== undefined;
    let response;
    try {
        response = await fetch(address, {
            method,
            signal,
            credentials: 'same-origin',
            cache: 'no-store',
            headers: hasBody ? { ...headers, 'Content-Type': 'application/json' } : headers,
            body: hasBody ? JSON.stringify(body) : undefined,
        });
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new APIError(0, 'UNAVAILABLE', 'The server does not answer. Is it running?');
    }
    const value = await response.json().catch(() => ({}));
    if (response.ok) return value;
    throw refusal(response, value.error ?? {});
}

function refusal(response, error) {
    const violations = (error.details ?? []).flatMap((detail) => detail.fieldViolations ?? []);
    const message = error.message || `The server answered ${response.status}.`;
    if (response.status === 401) window.dispatchEvent(new CustomEvent('pharos:signed-out'));
    return new APIError(response.status, error.status ?? '', message, violations);
}
