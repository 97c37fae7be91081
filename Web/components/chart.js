// Line charts, drawn as SVG. The numbers stand in a table beside them, for those who do not see the lines.

import { h, svg } from '../dom.js';
import { count } from '../format.js';

const WIDTH = 520;
const HEIGHT = 230;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

/**
 * @param {string} title What it shows.
 * @param {string[]} labels Along the bottom.
 * @param {{name: string, values: number[]}[]} series At most five.
 * @returns {HTMLElement}
 */
export function lineChart(title, labels, series) {
    const top = niceMaximum(Math.max(1, ...series.flatMap(({ values }) => values)));
    const x = (place) =>
        LEFT +
        (labels.length < 2 ? (WIDTH - LEFT - RIGHT) / 2 : (place * (WIDTH - LEFT - RIGHT)) / (labels.length - 1));
    const y = (value) => HEIGHT - BOTTOM - (value * (HEIGHT - TOP - BOTTOM)) / top;
    const picture = svg(
        'svg',
        {
            class: 'chart',
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            role: 'img',
            'aria-label': `${title}. The table below has the numbers.`,
        },
        grid(top, y),
        bottomLabels(labels, x),
        series.map(({ values }, number) => curve(values, `s${number + 1}`, x, y)),
    );
    return h('div', {}, legend(series), picture);
}

function grid(top, y) {
    return [0, 1, 2, 3, 4].map((step) => {
        const value = (top * step) / 4;
        return [
            svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
            svg(
                'text',
                { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' },
                Number.isInteger(value) ? count(value) : '',
            ),
        ];
    });
}

function bottomLabels(labels, x) {
    const every = Math.max(1, Math.ceil(labels.length / 6));
    return labels.map(
        (label, place) =>
            place % every === 0 && svg('text', { x: x(place), y: HEIGHT - 8, 'text-anchor': 'middle' }, label),
    );
}

function curve(values, kind, x, y) {
    const points = values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`);
    return [
        svg('polyline', { class: `curve ${kind}`, points: points.join(' ') }),
        values.length < 40 &&
            values.map((value, place) => svg('circle', { class: kind, cx: x(place), cy: y(value), r: 3 })),
    ];
}

function legend(series) {
    return h(
        'ul',
        { class: 'legend', 'aria-hidden': 'true' },
        series.map(({ name }, number) =>
            h(
                'li',
                {},
                svg(
                    'svg',
                    { class: 'chart', viewBox: '0 0 16 11' },
                    svg('rect', { class: `s${number + 1}`, width: 16, height: 11, rx: 2 }),
                ),
                ' ',
                name,
            ),
        ),
    );
}

/** The next of 4, 8, 10, 20, 40, 80, 100 … that is not less: its quarters are short numbers. */
function niceMaximum(value) {
    for (let power = 1; ; power *= 10) {
        for (const factor of [4, 8, 10, 20]) {
            if (factor * power >= value) return factor * power;
        }
    }
}
