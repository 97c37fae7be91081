// All campaigns of a project.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { may } from '../session.js';
import { count, moment } from '../format.js';
import { scheduleText, stateBadge, states, targetText } from '../campaign-states.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { field, select } from '../components/form.js';
import { filters } from '../components/filters.js';
import { pagedTable } from '../components/table.js';

export async function show({ project, query, signal }) {
    const state = query.get('state') ?? '';
    const writes = may('editor', project);
    const make = link(['projects', project, 'campaigns', 'new'], [icon('plus'), 'New campaign'], {
        class: 'button primary',
    });
    return page(
        'Campaigns',
        { lead: 'Notifications to many, now or on a schedule.', actions: writes && make },
        filters(
            'Campaigns',
            ['projects', project, 'campaigns'],
            field('State', select('state', [['', 'Any'], ...states], { value: state })),
            { verb: 'Show' },
        ),
        await pagedTable({
            caption: 'Campaigns',
            noun: 'campaign',
            columns: columns(project),
            list: 'campaigns',
            ask: (pageToken) => get(path`/projects/${project}/campaigns`, { state, pageToken }, signal),
            empty: state
                ? nothing('No campaign is in this state.', h('p', {}, link(['projects', project, 'campaigns'], 'Show all')))
                : nothing(
                      'There is no campaign yet.',
                      writes &&
                          h(
                              'p',
                              {},
                              link(['projects', project, 'campaigns', 'new'], 'Compose one'),
                              ': nothing is sent before you publish it.',
                          ),
                  ),
        }),
    );
}

function columns(project) {
    return [
        {
            title: 'Name',
            cell: (campaign) =>
                link(['projects', project, 'campaigns', campaign.campaignId], h('bdi', {}, campaign.name)),
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
