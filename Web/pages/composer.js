// Composing a campaign: five steps, a preview beside them, a test before anything is published.

import { go, h, link, replace } from '../dom.js';
import { get, path, post, put } from '../api.js';
import { serverTime } from '../session.js';
import { announce } from '../shell.js';
import { button, page } from '../components/page.js';
import { markedProblem } from '../components/form.js';
import { preview } from '../components/notification.js';
import { composeStep } from './composer/compose.js';
import { targetStep } from './composer/target.js';
import { scheduleStep } from './composer/schedule.js';
import { optionsStep } from './composer/options.js';
import { reviewStep } from './composer/review.js';
import { testMessage } from './composer/test-message.js';
import { STEPS, blank, cleaned, completed, stepOf } from './composer/campaign.js';

export async function show({ project, campaign: id, query, signal }) {
    const place = path`/projects/${project}/campaigns`;
    const draft = id ? completed(await get(`${place}/${encodeURIComponent(id)}`, {}, signal)) : blank(query);
    const { apps = [] } = await get(path`/projects/${project}/apps`, { pageSize: 200 }, signal).catch(() => ({}));
    const context = { project, draft, apps, signal, changed, today: await serverTime() };
    const steps = [composeStep, targetStep, scheduleStep, optionsStep, reviewStep].map((step, number) => [
        STEPS[number],
        step(context),
    ]);
    const drawing = preview();
    const result = h('div', { class: 'result' });
    const body = h('div', { class: 'part' });
    const names = steps.map(([name], number) =>
        h('button', { type: 'button', onclick: () => open(number) }, `${number + 1}. ${name}`),
    );
    const foot = h('div', { class: 'actions' });
    let current = 0;
    changed();
    open(0, false);
    return page(
        id ? `Edit ${draft.name || 'campaign'}` : 'New campaign',
        { crumb: link(['projects', project, 'campaigns'], 'Campaigns') },
        h(
            'nav',
            { 'aria-label': 'Steps' },
            h(
                'ol',
                { class: 'steps' },
                names.map((name) => h('li', {}, name)),
            ),
        ),
        h(
            'div',
            { class: 'composer' },
            h('div', { class: 'page' }, body, result, foot),
            h('aside', { 'aria-label': 'Preview and test' }, drawing.element, testMessage(context)),
        ),
    );

    function changed() {
        drawing.update({ ...draft.notification, image: draft.notification.imageUrl, app: 'Your app' });
    }

    function open(number, moves = true) {
        current = number;
        const [name, step] = steps[number];
        const heading = h('h2', { tabindex: '-1' }, name);
        replace(body, h('div', { class: 'heading' }, heading), step.element);
        names.forEach((each, position) =>
            position === number ? each.setAttribute('aria-current', 'step') : each.removeAttribute('aria-current'),
        );
        step.entered?.();
        replace(result);
        const isLast = number === steps.length - 1;
        replace(
            foot,
            number > 0 && button('Back', () => open(number - 1)),
            isLast ? button(publishText(), publish, 'primary') : button('Next', () => open(number + 1), 'primary'),
            button(draft.state && draft.state !== 'DRAFT' ? 'Save the changes' : 'Save as draft', saveAndLeave),
        );
        if (moves) heading.focus();
    }

    function publishText() {
        if (draft.state && draft.state !== 'DRAFT') return 'Save the changes';
        return draft.schedule.kind === 'NOW' ? 'Publish: send it now' : 'Publish';
    }

    async function saved() {
        const content = cleaned(draft);
        const answer = draft.campaignId
            ? await put(`${place}/${encodeURIComponent(draft.campaignId)}`, { ...content, revision: draft.revision })
            : await post(place, content);
        Object.assign(draft, { campaignId: answer.campaignId, revision: answer.revision, state: answer.state });
        return draft.campaignId;
    }

    async function publish() {
        await guarded(async () => {
            const wasDraft = !draft.state || draft.state === 'DRAFT';
            const identifier = await saved();
            if (wasDraft) await post(`${place}/${encodeURIComponent(identifier)}:publish`);
            announce(wasDraft ? 'The campaign is published.' : 'The changes are saved.');
            leave(identifier);
        });
    }

    async function saveAndLeave() {
        await guarded(async () => {
            const identifier = await saved();
            announce('Saved.');
            leave(identifier);
        });
    }

    /** Shows what was saved, unless the person has gone elsewhere meanwhile. */
    function leave(identifier) {
        if (!signal.aborted) go(['projects', project, 'campaigns', identifier]);
    }

    async function guarded(work) {
        for (const control of foot.children) control.disabled = true;
        try {
            await work();
        } catch (error) {
            refused(error);
        } finally {
            for (const control of foot.children) control.disabled = false;
        }
    }

    /** Opens the step whose field the server refuses, and shows why there. */
    function refused(error) {
        const step = stepOf(error.violations?.[0]?.field);
        if (step !== undefined && step !== current) open(step);
        replace(result, markedProblem(body, error));
    }
}
