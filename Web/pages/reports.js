// What was sent and what became of it, over time.

import { h, link } from '../dom.js';
import { downloadAddress, get, path } from '../api.js';
import { serverTime } from '../session.js';
import { appName, count, dateField, day } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page, part } from '../components/page.js';
import { field, input, select } from '../components/form.js';
import { filters } from '../components/filters.js';
import { lineChart } from '../components/chart.js';
import { STEPS, funnel } from '../components/funnel.js';
import { table } from '../components/table.js';

const GROUPS = [
    ['day', 'Day'],
    ['campaign', 'Campaign'],
    ['label', 'Analytics label'],
    ['app', 'App'],
];
const USUAL_DAYS = 28;

export async function show({ project, query, signal }) {
    const filter = wanted(query, await serverTime());
    const place = path`/projects/${project}/reports`;
    const [{ rows, totals }, names] = await Promise.all([
        wholeReport((pageToken) => get(place, { ...filter, pageToken }, signal)),
        namesOf(project, filter.groupBy, signal),
    ]);
    const csv = h(
        'a',
        { class: 'button', href: downloadAddress(`${place}:csv`, filter), download: `${project}-report.csv` },
        icon('download'),
        'CSV',
    );
    const deliveries = h(
        'a',
        {
            class: 'button',
            href: downloadAddress(path`/projects/${project}/deliveries` + ':export', {
                format: 'csv',
                from: filter.from,
                to: filter.to,
            }),
            download: `${project}-deliveries.csv`,
        },
        icon('download'),
        'Each delivery',
    );
    return page(
        'Reports',
        { lead: 'Counted by the day of sending, in UTC.', actions: [csv, deliveries] },
        filterForm(project, filter),
        rows.length === 0
            ? nothing('Nothing was sent in these days.', h('p', {}, 'Choose other days above, or compose a message.'))
            : [
                  h(
                      'div',
                      { class: 'columns' },
                      part('How far messages came', {}, funnel(totals)),
                      filter.groupBy === 'day' && part('Day by day', {}, dayChart(filter, rows)),
                  ),
                  numbers(project, filter.groupBy, rows, totals, names),
              ],
    );
}

/** All rows: a report of many campaigns or labels comes in pages. */
async function wholeReport(ask) {
    const rows = [];
    let answer = {};
    do {
        answer = await ask(answer.nextPageToken);
        rows.push(...(answer.rows ?? []));
    } while (answer.nextPageToken);
    return { rows, totals: answer.totals ?? {} };
}

function wanted(query, today) {
    const start = new Date(today.valueOf() - (USUAL_DAYS - 1) * 86_400_000);
    return {
        from: query.get('from') ?? dateField(start),
        to: query.get('to') ?? dateField(today),
        groupBy: query.get('groupBy') ?? 'day',
        campaignId: query.get('campaignId') ?? '',
        label: query.get('label') ?? '',
        appId: query.get('appId') ?? '',
    };
}

function filterForm(project, { from, to, groupBy, label, campaignId, appId }) {
    return filters(
        'Report',
        ['projects', project, 'reports'],
        [
            field('From', input('from', { type: 'date', value: from })),
            field('To', input('to', { type: 'date', value: to })),
            field('By', select('groupBy', GROUPS, { value: groupBy })),
            field('Label', input('label', { value: label, spellcheck: 'false' }), { optional: true }),
        ],
        { verb: 'Show', kept: { campaignId, appId } },
    );
}

const LONGEST_CHART_DAYS = 92;

/** A line for the steps that matter, over all days of the report: those without messages too, when they are not too many. */
function dayChart({ from, to }, rows) {
    const counted = new Map(rows.map((row) => [row.key, row]));
    const all = daysBetween(from, to);
    const days = all.length <= LONGEST_CHART_DAYS ? all : [...counted.keys()].sort();
    const steps = STEPS.filter(([key]) => ['sent', 'received', 'displayed', 'opened'].includes(key));
    return lineChart(
        'Messages a day',
        days.map((each) => each.slice(5)),
        steps.map(([key, name]) => ({ name, values: days.map((each) => counted.get(each)?.[key] ?? 0) })),
    );
}

function daysBetween(from, to) {
    const days = [];
    const last = Date.parse(`${to}T00:00:00Z`);
    for (
        let time = Date.parse(`${from}T00:00:00Z`);
        time <= last && days.length <= LONGEST_CHART_DAYS;
        time += 86_400_000
    ) {
        days.push(dateField(new Date(time)));
    }
    return days;
}

function numbers(project, groupBy, rows, totals, names) {
    const number = (key, title) => ({ title, isNumber: true, cell: (row) => count(row[key]) });
    return table(
        'Report',
        [
            {
                title: GROUPS.find(([key]) => key === groupBy)?.[1] ?? 'Key',
                cell: (row) => name(project, groupBy, row, names),
            },
            ...STEPS.map(([key, title]) => number(key, title)),
            number('dismissed', 'Dismissed'),
            number('failed', 'Failed'),
            {
                title: 'Why',
                cell: (row) =>
                    Object.entries(row.failures ?? {})
                        .map(([reason, times]) => `${reason} ${count(times)}`)
                        .join(', '),
            },
        ],
        rows,
        totals && { ...totals, isTotal: true },
    );
}

/** What people call the campaigns or apps of the rows: the newest of them. @returns {Promise<Map<string, string>>} */
async function namesOf(project, groupBy, signal) {
    if (groupBy === 'campaign') {
        const { campaigns = [] } = await get(path`/projects/${project}/campaigns`, { pageSize: 200 }, signal);
        return new Map(campaigns.map((each) => [each.campaignId, each.name]));
    }
    if (groupBy === 'app') {
        const { apps = [] } = await get(path`/projects/${project}/apps`, { pageSize: 200 }, signal);
        return new Map(apps.map((app) => [app.appId, appName(app)]));
    }
    return new Map();
}

function name(project, groupBy, row, names) {
    if (row.isTotal) return 'All';
    if (groupBy === 'day') return day(row.key);
    const text = h('bdi', {}, names.get(row.key) || row.key || 'None');
    return groupBy === 'campaign' && row.key ? link(['projects', project, 'campaigns', row.key], text) : text;
}
