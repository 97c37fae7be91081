// Fourth step: everything that most campaigns leave as it is.

import { h } from '../../dom.js';
import { check, choice, field, input, mark, select } from '../../components/form.js';
import { names } from './campaign.js';
import { pairs } from './pairs.js';

const LONGEST_SECONDS = 2_419_200;
const UNITS = [
    ['604800', 'weeks'],
    ['86400', 'days'],
    ['3600', 'hours'],
    ['60', 'minutes'],
    ['1', 'seconds'],
];

/** @param {{draft: Object}} context */
export function optionsStep({ draft }) {
    draft.options ??= {};
    const { options } = draft;
    return {
        element: h(
            'div',
            { class: 'page' },
            expiry(options),
            soundAndBadge(options),
            choice(
                'Priority',
                'priority',
                [
                    ['HIGH', 'High', 'shown at once'],
                    ['NORMAL', 'Normal', 'when it suits the battery'],
                ],
                options.priority ?? 'HIGH',
                (value) => {
                    options.priority = value;
                },
            ),
            pairs(options),
            field('Click action', text('clickAction'), {
                optional: true,
                names: names('options.clickAction'),
                hint: 'The notification category on Apple devices, the intent on Android.',
            }),
            h(
                'div',
                { class: 'row' },
                field('Analytics label', text('analyticsLabel', { maxlength: 50 }), {
                    optional: true,
                    names: names('options.analyticsLabel'),
                    hint: 'Reports can be grouped by it.',
                }),
                field('Conversion event', text('conversionEvent', { maxlength: 40 }), {
                    optional: true,
                    names: names('options.conversionEvent'),
                    hint: 'The event of your app’s analytics that says that the campaign had success.',
                }),
            ),
            field('Android channel', text('androidChannel'), {
                optional: true,
                names: names('options.androidChannel'),
                hint: 'The notification channel of the Android app; without one, the app’s own default.',
            }),
        ),
    };

    function text(key, attributes) {
        return input(key, {
            value: options[key] ?? '',
            spellcheck: 'false',
            oninput: (event) => {
                options[key] = event.target.value.trim();
            },
            ...attributes,
        });
    }
}

function expiry(options) {
    const seconds = options.expirySeconds ?? LONGEST_SECONDS;
    const unit = UNITS.find(([length]) => seconds % Number(length) === 0)?.[0] ?? '1';
    const number = input('expiry', { type: 'number', min: 0, step: 1, value: seconds / Number(unit), oninput: read });
    const units = select('expiryUnit', UNITS, { value: unit, onchange: read });
    const element = field('Expires after', number, {
        names: names('options.expirySeconds'),
        hint: 'Counted from the moment of sending. Four weeks at most; 0 means now or never.',
    });
    return h('div', { class: 'row' }, element, field('Unit', units, { names: [] }));

    function read() {
        const wanted = Number(number.value) * Number(units.value);
        const isAllowed = number.value !== '' && Number.isInteger(wanted) && wanted >= 0 && wanted <= LONGEST_SECONDS;
        mark(element, isAllowed ? '' : 'Between 0 and 4 weeks (2,419,200 seconds).');
        if (isAllowed) options.expirySeconds = wanted;
    }
}

function soundAndBadge(options) {
    const badge = input('badge', {
        type: 'number',
        min: 0,
        max: 99999,
        value: options.badge ?? '',
        oninput: () => {
            options.badge = badge.value === '' ? null : Number(badge.value);
        },
    });
    return [
        check('Play the default sound', {
            name: 'sound',
            checked: options.sound !== null && options.sound !== undefined,
            onchange: (event) => {
                options.sound = event.target.checked ? 'default' : null;
            },
        }),
        field('Badge', badge, {
            optional: true,
            names: names('options.badge'),
            hint: 'The number on the app’s icon. 0 takes it away.',
        }),
    ];
}
