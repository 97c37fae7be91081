// All projects that the person may see, and new ones.

import { go, h, link } from '../dom.js';
import { get, post } from '../api.js';
import { session } from '../session.js';
import { day } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { button, page } from '../components/page.js';
import { field, input } from '../components/form.js';
import { formDialog } from '../components/dialog.js';
import { pagedTable } from '../components/table.js';

export async function show({ signal }) {
    const creates = session.user.isAdministrator && button([icon('plus'), 'New project'], create, 'primary');
    return page(
        'Projects',
        { lead: 'A project holds the apps of one sender, with their keys and messages.', actions: creates },
        await pagedTable({
            caption: 'Projects',
            noun: 'project',
            columns: [
                {
                    title: 'Name',
                    cell: (project) => link(['projects', project.projectId], project.displayName || project.projectId),
                },
                { title: 'Project id', cell: (project) => h('code', {}, project.projectId) },
                { title: 'Sender id', cell: (project) => h('code', {}, project.projectNumber ?? '') },
                { title: 'Made', cell: (project) => (project.createdAt ? day(project.createdAt) : '') },
            ],
            list: 'projects',
            ask: (pageToken) => get('/projects', { pageToken }, signal),
            empty: nothing(
                'There is no project yet.',
                session.user.isAdministrator
                    ? h('p', {}, 'Make one: everything else is inside a project.')
                    : h('p', {}, 'Ask an administrator to make one, or to give you a role in theirs.'),
            ),
        }),
    );
}

function create() {
    formDialog('New project', {
        content: [
            field('Name', input('displayName', { required: true, autofocus: true, maxlength: 100 }), {
                hint: 'For people: “Weather app”.',
            }),
            field(
                'Project id',
                input('projectId', {
                    required: true,
                    pattern: '[a-z][a-z0-9-]{4,28}[a-z0-9]',
                    autocapitalize: 'none',
                    spellcheck: 'false',
                }),
                {
                    hint: '6 to 30 small letters, digits and hyphens. It is part of addresses and cannot change later.',
                },
            ),
        ],
        submit: 'Make the project',
        send: async (values) => {
            const made = await post('/projects', values);
            go(['projects', made.projectId ?? values.projectId]);
        },
    });
}
