// Last step: what will be sent, to how many, and when exactly.

import { h, replace } from '../../dom.js';
import { path, post } from '../../api.js';
import { count, plural } from '../../format.js';
import { occurrenceText, scheduleText, targetText } from '../../campaign-states.js';
import { notice, problem } from '../../components/notice.js';
import { facts, json } from '../../components/page.js';
import { STEPS, cleaned, stepOf } from './campaign.js';

/** @param {{project: string, draft: Object}} context */
export function reviewStep({ project, draft }) {
    const element = h('div', { class: 'page', 'aria-live': 'polite' });
    return { element, entered };

    async function entered() {
        const campaign = cleaned(draft);
        replace(element, h('p', { class: 'muted' }, 'Asking the server …'));
        const place = path`/projects/${project}/campaigns`;
        const [reach, preview] = await Promise.all([
            post(`${place}:estimate`, { target: campaign.target }).catch((error) => ({ error })),
            post(`${place}:preview`, { campaign }).catch((error) => ({ error })),
        ]);
        replace(
            element,
            problems(preview),
            facts([
                ['Name', h('bdi', {}, campaign.name)],
                ['Target', h('bdi', {}, targetText(campaign.target))],
                ['Reach', reach.error ? problem(reach.error) : reachText(reach)],
                ['Schedule', scheduleText(campaign.schedule)],
            ]),
            moments(preview, campaign.schedule),
            preview.payload &&
                json(
                    `The payload for APNs${preview.sizeBytes ? ` (${count(preview.sizeBytes)} of 4,096 bytes)` : ''}`,
                    { headers: preview.headers, payload: preview.payload },
                ),
        );
    }
}

/** `{"devices", "registrations", "isExact"}` in words. */
export function reachText({ devices, registrations, isExact }) {
    const text = `${isExact === false ? 'About ' : ''}${plural(devices ?? registrations ?? 0, 'device')}`;
    return registrations !== undefined && registrations !== devices
        ? `${text} (${plural(registrations, 'registration')})`
        : text;
}

function problems(preview) {
    if (preview.error) return problem(preview.error);
    const violations = preview.violations ?? [];
    if (violations.length === 0) return notice('good', 'Everything is in order.');
    return notice(
        'bad',
        h('p', {}, 'This has to be changed first:'),
        h(
            'ul',
            {},
            violations.map((each) =>
                h('li', {}, [STEPS[stepOf(each.field)] ?? each.field, each.description].filter(Boolean).join(': ')),
            ),
        ),
    );
}

function moments({ occurrences = [] }, schedule) {
    if (schedule.kind === 'NOW' || occurrences.length === 0) return null;
    return h(
        'div',
        {},
        h('h3', {}, 'It will be sent'),
        h(
            'ul',
            { class: 'occurrences' },
            occurrences.map((moment) => h('li', {}, h('time', { datetime: moment }, occurrenceText(moment, schedule)))),
        ),
    );
}
