// The moments that the server will really use: clocks that change make some times exist twice, and others never.

import { h, replace } from '../../dom.js';
import { path, post } from '../../api.js';
import { occurrenceText } from '../../campaign-states.js';
import { notice } from '../../components/notice.js';
import { cleaned } from './campaign.js';

const PAUSE_MILLISECONDS = 250;

/**
 * @param {{project: string, draft: Object, signal: AbortSignal}} context
 * @returns {{element: HTMLElement, tell: () => Promise<any>, tellSoon: () => void}} `tellSoon` waits for a pause in typing.
 */
export function momentsOf({ project, draft, signal }) {
    const element = h('div', { class: 'result', 'aria-live': 'polite' });
    let waiting;
    let asked = 0;
    return { element, tell, tellSoon };

    function tellSoon() {
        clearTimeout(waiting);
        waiting = setTimeout(tell, PAUSE_MILLISECONDS);
    }

    async function tell() {
        const campaign = cleaned(draft);
        asked += 1;
        const number = asked;
        if (campaign.schedule.kind === 'NOW') return replace(element);
        const answer = await post(`${path`/projects/${project}/campaigns`}:preview`, { campaign }).catch(
            (error) => error,
        );
        if (signal.aborted || number !== asked) return element;
        const mistakes = (answer.violations ?? []).filter(({ field }) => /schedule/.test(field ?? ''));
        return replace(
            element,
            mistakes.map((each) => notice('bad', each.description)),
            list(answer.occurrences ?? [], campaign.schedule),
        );
    }
}

function list(occurrences, schedule) {
    if (occurrences.length === 0) return null;
    return notice(
        'info',
        h('p', {}, introduction(schedule)),
        h(
            'ul',
            { class: 'occurrences' },
            occurrences.map((moment) => h('li', {}, h('time', { datetime: moment }, occurrenceText(moment, schedule)))),
        ),
    );
}

function introduction({ kind, timeZone }) {
    if (timeZone === 'RECIPIENT')
        return 'Each device gets it when its own clock shows that time. The first of these moments, in UTC:';
    return kind === 'AT' ? 'It will be sent on:' : 'It will be sent first on:';
}
