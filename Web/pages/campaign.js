// One campaign: what it says, when it goes, what became of it.

import { go, h, link, replace } from '../dom.js';
import { get, path } from '../api.js';
import { announce } from '../shell.js';
import { may } from '../session.js';
import { count, moment, plural, span, word } from '../format.js';
import { act, actionsOf, occurrenceText, scheduleText, stateBadge, targetText } from '../campaign-states.js';
import { nothing, notice, problem } from '../components/notice.js';
import { button, facts, json, page, part } from '../components/page.js';
import { ask } from '../components/dialog.js';
import { funnel } from '../components/funnel.js';
import { preview } from '../components/notification.js';
import { pagedTable } from '../components/table.js';
import { reload } from '../reload.js';

export async function show({ project, campaign: id, signal }) {
    const place = path`/projects/${project}/campaigns/${id}`;
    const [campaign, report] = await Promise.all([
        get(place, {}, signal),
        get(`${place}/report`, {}, signal).catch((error) => ({ error })),
    ]);
    const result = h('div', { class: 'result' });
    const drawing = preview();
    drawing.update({ ...campaign.notification, image: campaign.notification?.imageUrl, app: 'Your app' });
    return page(
        campaign.name,
        {
            crumb: link(['projects', project, 'campaigns'], 'Campaigns'),
            lead: [stateBadge(campaign), campaign.stateReason && ` ${campaign.stateReason}`],
            actions:
                may('editor', project) &&
                actionsOf(campaign).map((action) => actionButton(project, campaign, action, result)),
        },
        result,
        h(
            'div',
            { class: 'composer' },
            h(
                'div',
                { class: 'page' },
                part(
                    'What became of it',
                    {
                        actions: link(['projects', project, 'messages'], 'Its messages', {
                            class: 'button',
                            href: `#/projects/${encodeURIComponent(project)}/messages?campaignId=${encodeURIComponent(id)}`,
                        }),
                    },
                    became(campaign, report),
                ),
                part('Settings', {}, settings(campaign)),
            ),
            h('aside', { 'aria-label': 'Preview' }, drawing.element),
        ),
        part(
            'Runs',
            {
                lead: [
                    'Each time that it was due, and what came of it.',
                    campaign.schedule?.timeZone === 'RECIPIENT' &&
                        ' Apple apps get it ahead, and show it when their own clock says so.',
                ],
            },
            await runs(project, place, campaign, signal),
        ),
    );
}

function became(campaign, report) {
    if (campaign.state === 'DRAFT') return nothing('It was not published yet.');
    if (report.error) return notice('warning', report.error.message);
    return funnel(report.totals);
}

function settings({ target, schedule, options: given, createdAt, updatedAt, createdBy, nextRunAt, lastRunAt }) {
    const options = given ?? {};
    return [
        facts([
            ['Target', h('bdi', {}, targetText(target))],
            ['Schedule', scheduleText(schedule)],
            ['Next', nextRunAt && occurrenceText(nextRunAt, schedule)],
            ['Last', lastRunAt && occurrenceText(lastRunAt, schedule)],
            ['When missed', schedule?.ifMissed && { SEND: 'Sent late', SKIP: 'Left out' }[schedule.ifMissed]],
            ['Expires after', Number.isInteger(options.expirySeconds) && span(options.expirySeconds)],
            ['Priority', options.priority && word(options.priority)],
            ['Sound', options.sound],
            ['Badge', options.badge],
            ['Click action', options.clickAction],
            ['Analytics label', options.analyticsLabel],
            ['Conversion event', options.conversionEvent],
            ['Made', `${moment(createdAt)}${createdBy ? ` by ${createdBy}` : ''}`],
            ['Changed', moment(updatedAt)],
        ]),
        target?.segment && json('The segment', target.segment),
        Object.keys(options.data ?? {}).length > 0 && json('Custom data', options.data),
    ];
}

function runs(project, place, campaign, signal) {
    return pagedTable({
        caption: 'Runs',
        noun: 'run',
        empty: 'It did not run yet.',
        columns: [
            {
                title: 'Due',
                cell: (run) => h('time', { datetime: run.dueAt }, occurrenceText(run.dueAt, campaign.schedule)),
            },
            { title: 'For', cell: (run) => run.audience },
            {
                title: 'Result',
                cell: (run) => [
                    word(run.result),
                    run.reason && `: ${run.reason}`,
                    run.missed > 0 && ` (${plural(run.missed, 'time')} missed before)`,
                ],
            },
            { title: 'Ran', cell: (run) => moment(run.ranAt) },
            { title: 'Targeted', isNumber: true, cell: (run) => count(run.counts.targeted) },
            { title: 'Sent', isNumber: true, cell: (run) => count(run.counts.sent) },
            { title: 'Failed', isNumber: true, cell: (run) => count(run.counts.failed) },
            {
                title: 'Message',
                cell: (run) => run.messageId && link(['projects', project, 'messages', run.messageId], run.messageId),
            },
        ],
        list: 'runs',
        ask: (pageToken) => get(`${place}/runs`, { pageToken }, signal),
    });
}

const ACTIONS = {
    edit: ['Edit'],
    duplicate: ['Duplicate'],
    pause: ['Pause'],
    resume: ['Resume'],
    cancel: ['Cancel the campaign', 'danger', 'It is not sent any more. What was accepted already still arrives.'],
    delete: ['Delete', 'danger', 'Its settings are gone. Reports keep what was sent.'],
};

function actionButton(project, campaign, action, result) {
    const [text, kind = '', warning] = ACTIONS[action];
    if (action === 'edit')
        return link(['projects', project, 'campaigns', campaign.campaignId, 'edit'], text, { class: 'button' });
    const perform = () => done(project, campaign, action);
    return button(
        text,
        () =>
            warning
                ? ask(`${text}?`, warning, text, perform)
                : perform().catch((error) => replace(result, problem(error))),
        kind,
    );
}

async function done(project, campaign, action) {
    const answer = await act(project, campaign, action);
    if (action === 'delete') return go(['projects', project, 'campaigns']);
    if (action === 'duplicate') return go(['projects', project, 'campaigns', answer.campaignId, 'edit']);
    announce({ pause: 'Paused.', resume: 'Goes on.', cancel: 'Cancelled.' }[action]);
    return reload();
}
