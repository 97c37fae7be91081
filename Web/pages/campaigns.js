// All campaigns of a project.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { may } from '../session.js';
import { count, moment } from '../format.js';
import { scheduleText, stateBadge, stateNames, targetText } from '../campaign-states.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { field, select } from '../components/form.js';
import { pagedTable } from '../components/table.js';

export async function show({ project, query, signal }) {
    const state = query.get('state') ?? '';
    const writes = may('editor', project);
    const make = link(['projects', project, 'campaigns', 'new'], [icon('plus'), 'New campaign'], {
        class: 'button primary',
    });
    const choice = select('state', [['', 'All'], ...stateNames], {
        value: state,
        onchange: () => {
            location.hash = address(['projects', project, 'campaigns'], { state: choice.value });
        },
    });
    return page(
        'Campaigns',
        { lead: 'Notifications to many, now or on a schedule.', actions: writes && make },
        h('div', { class: 'filters' }, field('State', choice)),
        await pagedTable({
            caption: 'Campaigns',
            noun: 'campaign',
            columns: columns(project),
            load: async (pageToken) => {
                const answer = await get(path`/projects/${project}/campaigns`, { state, pageToken }, signal);
                return { rows: answer.campaigns ?? [], nextPageToken: answer.nextPageToken };
            },
            empty: nothing(
                state ? 'No campaign is in this state.' : 'There is no campaign yet.',
                writes && h('p', {}, 'Compose one: nothing is sent before you publish it.'),
            ),
        }),
    );
}

function columns(project) {
    return [
        {
            title: 'Name',
            cell: (campaign) =>
                link(
                    ['projects', project, 'campaigns', campaign.campaignId],
                    h('bdi', {}, campaign.name || campaign.notification?.title || campaign.campaignId),
                ),
        },
        { title: 'State', cell: stateBadge },
        { title: 'Target', cell: (campaign) => h('bdi', {}, targetText(campaign.target)) },
        { title: 'Schedule', cell: (campaign) => scheduleText(campaign.schedule) },
        {
            title: 'Next',
            cell: (campaign) =>
                campaign.nextRunAt ? h('time', { datetime: campaign.nextRunAt }, moment(campaign.nextRunAt)) : '',
        },
        { title: 'Targeted', isNumber: true, cell: (campaign) => count(campaign.counts?.targeted) },
        { title: 'Sent', isNumber: true, cell: (campaign) => count(campaign.counts?.sent) },
        { title: 'Opened', isNumber: true, cell: (campaign) => count(campaign.counts?.opened) },
    ];
}
