// Messages in the flow of a page.

import { h } from '../dom.js';
import { icon } from './icon.js';

/** A box with a message. @param {'info'|'good'|'warning'|'bad'} kind */
export function notice(kind, ...content) {
    const picture = { good: 'check', warning: 'warning', bad: 'warning' }[kind] ?? 'bell';
    return h(
        'div',
        { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : null },
        icon(picture),
        h('div', {}, content),
    );
}

/** What went wrong, with the fields that the server names. @param {Error} error */
export function problem(error) {
    const lines = (error.violations ?? []).filter(({ description }) => description && description !== error.message);
    return notice(
        'bad',
        h('p', {}, error.message),
        lines.length > 0 &&
            h(
                'ul',
                {},
                lines.map(({ field, description }) => h('li', {}, field ? `${field}: ${description}` : description)),
            ),
    );
}

/** What a page says when a list has nothing. */
export function nothing(text, ...more) {
    return h('div', { class: 'nothing' }, h('p', {}, text), more);
}

/** A word with a colour: the state of something. @param {'good'|'warning'|'bad'|'info'|'plain'} kind */
export function badge(text, kind = 'plain') {
    return h('span', { class: `badge ${kind}` }, text);
}
