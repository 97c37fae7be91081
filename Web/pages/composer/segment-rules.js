// The editors of the rules of a segment, by kind. Each changes its rule in place.

import { h, replace } from '../../dom.js';
import { check, field, input, select } from '../../components/form.js';
import { appName, dateField } from '../../format.js';

const VERSION_OPS = [
    ['atLeast', 'at least'],
    ['below', 'below'],
    ['is', 'is'],
    ['isNot', 'is not'],
    ['contains', 'contains'],
    ['matches', 'matches (* is any text)'],
];
const TIME_OPS = [
    ['withinDays', 'in the last … days'],
    ['olderThanDays', 'more than … days ago'],
    ['before', 'before'],
    ['after', 'after'],
];
const PROPERTY_OPS = [
    ['is', 'is'],
    ['isNot', 'is not'],
    ['contains', 'contains'],
    ['greaterThan', 'is greater than'],
    ['lessThan', 'is less than'],
    ['exists', 'is there'],
];

/** @type {Object<string, (rule: Object, apps: Object[]) => HTMLElement>} */
export const EDITORS = {
    app: (rule, apps) =>
        h(
            'fieldset',
            {},
            h('legend', { class: 'visually-hidden' }, 'Apps'),
            apps.length === 0 && h('p', { class: 'muted' }, 'The project has no apps.'),
            apps.map((app) =>
                check(appName(app), {
                    checked: rule.appIds.includes(app.appId),
                    onchange: (event) => {
                        rule.appIds = event.target.checked
                            ? [...rule.appIds, app.appId]
                            : rule.appIds.filter((id) => id !== app.appId);
                    },
                }),
            ),
        ),
    version: (rule) => h('div', { class: 'row' }, comparison(rule, VERSION_OPS), value(rule, { placeholder: '2.1' })),
    language: (rule) =>
        codes(rule, 'Languages', 'de, fr: two-letter codes with commas between', (code) => code.toLowerCase()),
    country: (rule) =>
        codes(rule, 'Countries', 'DE, FR: two-letter codes with commas between', (code) => code.toUpperCase()),
    firstOpen: time,
    lastEngagement: time,
    property,
};

function comparison(rule, choices, onchange = () => {}) {
    const control = select('op', choices, {
        value: rule.op,
        onchange: () => {
            rule.op = control.value;
            onchange();
        },
    });
    return field('Comparison', control, { names: [] });
}

function value(rule, attributes) {
    return field(
        'Value',
        input('value', {
            value: rule.value ?? '',
            spellcheck: 'false',
            oninput: (event) => {
                rule.value = event.target.value;
            },
            ...attributes,
        }),
        { names: [] },
    );
}

function codes(rule, label, hint, form) {
    return field(
        label,
        input('codes', {
            value: rule.in.join(', '),
            spellcheck: 'false',
            oninput: (event) => {
                rule.in = event.target.value
                    .split(/[\s,;]+/)
                    .filter(Boolean)
                    .map(form);
            },
        }),
        { hint, names: [] },
    );
}

function time(rule) {
    const place = h('div', { class: 'row' });
    draw();
    return place;

    function draw() {
        const isDate = rule.op === 'before' || rule.op === 'after';
        if (isDate && typeof rule.value !== 'string') rule.value = dateField(new Date());
        if (!isDate && typeof rule.value !== 'number') rule.value = 7;
        const amount = isDate
            ? input('value', {
                  type: 'date',
                  value: rule.value.slice(0, 10),
                  oninput: (event) => {
                      rule.value = event.target.value;
                  },
              })
            : input('value', {
                  type: 'number',
                  min: 1,
                  max: 36500,
                  value: rule.value,
                  oninput: (event) => {
                      rule.value = Number(event.target.value);
                  },
              });
        replace(place, comparison(rule, TIME_OPS, draw), field(isDate ? 'Date' : 'Days', amount, { names: [] }));
    }
}

function property(rule) {
    const place = h('div', { class: 'row' });
    draw();
    return place;

    function draw() {
        if (rule.op === 'exists') delete rule.value;
        else rule.value ??= '';
        replace(
            place,
            field(
                'Property',
                input('name', {
                    value: rule.name,
                    spellcheck: 'false',
                    oninput: (event) => {
                        rule.name = event.target.value.trim();
                    },
                }),
                { names: [] },
            ),
            comparison(rule, PROPERTY_OPS, draw),
            rule.op !== 'exists' && value(rule),
        );
    }
}
