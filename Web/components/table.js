// Tables, whole or page by page.

import { h, replace } from '../dom.js';
import { announce } from '../shell.js';
import { plural } from '../format.js';
import { nothing, problem } from './notice.js';

/**
 * @typedef {Object} Column
 * @property {string} title
 * @property {(row: any) => any} cell
 * @property {boolean} [isNumber]
 * @property {boolean} [isName] The cell names its row.
 */

/** @param {string} caption What it lists, for screen readers. @param {Column[]} columns @param {any[]} rows */
export function table(caption, columns, rows, foot) {
    const body = h(
        'tbody',
        {},
        rows.map((row) => tableRow(columns, row)),
    );
    return h(
        'div',
        { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
        h(
            'table',
            {},
            h('caption', { class: 'visually-hidden' }, caption),
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    columns.map((column) =>
                        h('th', { scope: 'col', class: column.isNumber && 'number' }, column.title),
                    ),
                ),
            ),
            body,
            foot && h('tfoot', {}, tableRow(columns, foot)),
        ),
    );
}

function tableRow(columns, row) {
    return h(
        'tr',
        {},
        columns.map((column, place) => {
            const isName = column.isName ?? place === 0;
            return h(
                isName ? 'th' : 'td',
                { scope: isName && 'row', class: column.isNumber && 'number' },
                column.cell(row),
            );
        }),
    );
}

/**
 * A table that grows page by page.
 * @param {Object} options
 * @param {string} options.caption
 * @param {Column[]} options.columns
 * @param {string} options.list What the API calls the list in its answers: `devices`.
 * @param {(pageToken?: string) => Promise<Object>} options.ask Asks for a page.
 * @param {Node|string} options.empty What to say when there is nothing.
 * @param {string} options.noun `device`, for "50 more devices".
 * @returns {Promise<HTMLElement>}
 */
export async function pagedTable({ caption, columns, list, ask, empty, noun }) {
    const first = await someRows();
    const place = h('div', {});
    if (!first[list]?.length) return replace(place, empty instanceof Node ? empty : nothing(empty));
    const element = table(caption, columns, first[list]);
    const foot = h('div', { class: 'more' });
    drawFoot(first.nextPageToken);
    return replace(place, element, foot);

    function drawFoot(token) {
        replace(foot, token && h('button', { type: 'button', onclick: () => more(token) }, 'Load more'));
    }

    async function more(token) {
        const button = foot.firstChild;
        button.disabled = true;
        try {
            const next = await someRows(token);
            const rows = next[list].map((row) => tableRow(columns, row));
            element.querySelector('tbody').append(...rows);
            drawFoot(next.nextPageToken);
            announce(`${plural(rows.length, noun)} more`);
            rows[0]?.querySelector('a, button')?.focus();
        } catch (error) {
            if (error.name !== 'AbortError') replace(foot, problem(error));
        }
    }

    /** A search may look long and find nothing on a page: the next one is asked for at once. */
    async function someRows(token) {
        let answer = await ask(token);
        while (!answer[list]?.length && answer.nextPageToken) answer = await ask(answer.nextPageToken);
        return answer;
    }
}
