// Builds the page. Text from people and servers is only ever a text node here: nothing in the console parses HTML.

const SVG = 'http://www.w3.org/2000/svg';
const PROPERTIES = new Set(['value', 'checked', 'disabled', 'selected', 'open', 'hidden', 'indeterminate']);

/**
 * An HTML element.
 * @param {string} tag
 * @param {Object} [attributes] `onclick` and the like take functions; `null`, `undefined` and `false` leave one out.
 * @param {...(Node|string|number|Array|null|false)} children Strings become text nodes.
 * @returns {HTMLElement}
 */
export function h(tag, attributes, ...children) {
    return build(document.createElement(tag), attributes, children);
}

/** An SVG element, as `h` makes HTML elements. @returns {SVGElement} */
export function svg(tag, attributes, ...children) {
    return build(document.createElementNS(SVG, tag), attributes, children);
}

function build(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
    append(element, children);
    return element;
}

function set(element, name, value) {
    if (value === null || value === undefined || value === false) return;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else if (name === 'href' || name === 'src') element.setAttribute(name, harmless(String(value)));
    else element.setAttribute(name, value === true ? '' : String(value));
}

/** Addresses of data lead to pages, never to scripts. */
function harmless(address) {
    return /^(https?:|blob:|#|\/|\.)/i.test(address) ? address : '#/';
}

/** Appends children as `h` does: strings as text, lists flattened, nothing for `null` and `false`. */
export function append(element, ...children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
    return element;
}

/** Puts these children in the place of all others. */
export function replace(element, ...children) {
    element.replaceChildren();
    return append(element, children);
}

let lastIdentifier = 0;

/** An id that nothing else on the page has. */
export function uniqueID(stem = 'id') {
    lastIdentifier += 1;
    return `${stem}-${lastIdentifier}`;
}

/** A link inside the console: `link(['projects', id], 'Name')`. Each step is encoded. */
export function link(steps, content, attributes = {}) {
    return h('a', { href: address(steps), ...attributes }, content);
}

/** The address of a page of the console. @param {string[]} steps @param {Object} [query] */
export function address(steps, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const tail = given.length ? `?${new URLSearchParams(given)}` : '';
    return `#/${steps.map(encodeURIComponent).join('/')}${tail}`;
}

/** Goes to a page of the console. */
export function go(steps, query) {
    location.hash = address(steps, query);
}
