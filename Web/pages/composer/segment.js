// Rules that describe devices. A device belongs to the segment when all rules hold.

import { h, replace } from '../../dom.js';
import { icon } from '../../components/icon.js';
import { button } from '../../components/page.js';
import { check, select } from '../../components/form.js';
import { EDITORS } from './segment-rules.js';

const KINDS = {
    app: ['App', () => ({ appIds: [] })],
    version: ['App version', () => ({ op: 'atLeast', value: '' })],
    language: ['Language', () => ({ in: [] })],
    country: ['Country', () => ({ in: [] })],
    firstOpen: ['First open', () => ({ op: 'withinDays', value: 7 })],
    lastEngagement: ['Last use', () => ({ op: 'olderThanDays', value: 30 })],
    property: ['Custom property', () => ({ name: '', op: 'is', value: '' })],
};

/**
 * The editor of a segment; it changes the segment in place.
 * @param {{all: Object[]}} segment
 * @param {Object[]} apps
 * @returns {HTMLElement}
 */
export function segmentBuilder(segment, apps) {
    segment.all ??= [];
    const list = h('ol', { class: 'rules', 'aria-label': 'Rules of the segment' });
    const kinds = select(
        'kind',
        Object.entries(KINDS).map(([kind, [name]]) => [kind, name]),
        { 'aria-label': 'Kind of the new rule' },
    );
    const note = h('p', { class: 'muted' });
    draw();
    return h(
        'div',
        { class: 'page', 'data-names': 'target.segment' },
        note,
        list,
        h('div', { class: 'row' }, h('div', { class: 'field' }, kinds), button([icon('plus'), 'Add a rule'], add)),
    );

    function add() {
        segment.all.push({ [kinds.value]: KINDS[kinds.value][1]() });
        draw();
        list.lastChild.querySelector('input, select')?.focus();
    }

    function draw() {
        note.textContent = segment.all.length
            ? 'A device gets the notification when all of these hold:'
            : 'Everybody, as there is no rule yet.';
        replace(
            list,
            segment.all.map((rule, place) => h('li', {}, ruleEditor(rule, place))),
        );
    }

    function ruleEditor(rule, place) {
        const isNegated = rule.not !== undefined;
        const inner = isNegated ? rule.not : rule;
        const kind = Object.keys(KINDS).find((name) => inner[name] !== undefined);
        const title = KINDS[kind]?.[0] ?? 'Rule';
        return [
            h(
                'div',
                { class: 'heading' },
                h('strong', {}, title),
                button([icon('cross')], () => remove(place), 'quiet', {
                    'aria-label': `Remove rule ${place + 1}: ${title}`,
                }),
            ),
            kind ? EDITORS[kind](inner[kind], apps) : h('pre', {}, JSON.stringify(rule)),
            check('Turn it around: those for whom it does not hold', {
                checked: isNegated,
                onchange: (event) => {
                    segment.all[place] = event.target.checked ? { not: inner } : inner;
                    draw();
                },
            }),
        ];
    }

    function remove(place) {
        segment.all.splice(place, 1);
        draw();
        kinds.focus();
    }
}
