// Forms over lists: what they ask for goes into the page's address, so that it can be kept, shared and gone back to.

import { address, h } from '../dom.js';
import { reload } from '../reload.js';
import { field, input } from './form.js';
import { icon } from './icon.js';

/**
 * @param {string} label What is searched, for screen readers.
 * @param {string[]} place The page: `['projects', id, 'devices']`.
 * @param {any[]} fields Their names are those of the query.
 * @param {{verb?: string, kept?: Object<string, string>}} [options] `verb`: the button's text; `kept`: what the query has
 *   beside the fields.
 * @returns {HTMLFormElement}
 */
export function filters(label, place, fields, { verb = 'Search', kept = {} } = {}) {
    const element = h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': label, onsubmit: apply },
        fields,
        h('button', { type: 'submit', class: 'primary' }, icon('search'), verb),
    );
    return element;

    function apply(event) {
        event.preventDefault();
        const given = [...new FormData(element)].map(([name, value]) => [name, value.trim()]);
        const wanted = address(place, { ...kept, ...Object.fromEntries(given) });
        if (location.hash === wanted) reload();
        else location.hash = wanted;
    }
}

/** The words that are searched for. @param {string} label @param {string} value @param {string} [placeholder] */
export function searchField(label, value, placeholder) {
    return h(
        'div',
        { class: 'wide' },
        field(label, input('q', { type: 'search', value, placeholder, spellcheck: 'false' })),
    );
}
