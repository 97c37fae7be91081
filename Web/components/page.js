// What pages are made of.

import { h } from '../dom.js';

/**
 * A page: its heading, what can be done there, its content.
 * @param {string} title
 * @param {Object} [options] `crumb`: a link to the page above; `lead`: a sentence; `actions`: buttons.
 */
export function page(title, { crumb, lead, actions } = {}, ...content) {
    return h(
        'div',
        { class: 'page' },
        h(
            'div',
            { class: 'heading' },
            h(
                'div',
                {},
                crumb && h('p', { class: 'crumb' }, crumb),
                h('h1', {}, title),
                lead && h('p', { class: 'lead' }, lead),
            ),
            actions && h('div', { class: 'actions' }, actions),
        ),
        content,
    );
}

/** A part of a page with a heading of its own. */
export function part(title, options, ...content) {
    const { actions, lead } = options ?? {};
    return h(
        'section',
        { class: 'part' },
        h(
            'div',
            { class: 'heading' },
            h('div', {}, h('h2', {}, title), lead && h('p', { class: 'lead' }, lead)),
            actions && h('div', { class: 'actions' }, actions),
        ),
        content,
    );
}

/** Names with values. Entries without a value are left out. @param {[string, any][]} entries */
export function facts(entries) {
    return h(
        'dl',
        { class: 'facts' },
        entries
            .filter(([, value]) => value !== undefined && value !== null && value !== '')
            .map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
    );
}

/** A button. @param {'primary'|'quiet'|'danger'|''} kind */
export function button(text, onclick, kind = '', attributes = {}) {
    return h('button', { type: 'button', class: kind, onclick, ...attributes }, text);
}

/**
 * Does the work of a button, which is off meanwhile.
 * @param {HTMLButtonElement} control
 * @param {() => Promise<any>} work
 * @param {(error: Error) => any} refused
 */
export async function working(control, work, refused) {
    control.disabled = true;
    try {
        await work();
    } catch (error) {
        refused(error);
    } finally {
        control.disabled = false;
    }
}

/** JSON to read, with a heading to open it. */
export function json(title, value) {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return h('details', {}, h('summary', {}, title), h('pre', { tabindex: '0', 'aria-label': title }, text));
}
