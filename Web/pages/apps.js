// The apps of a project, and the files that their builds need.

import { h } from '../dom.js';
import { downloadAddress, get, path, post } from '../api.js';
import { announce } from '../shell.js';
import { may } from '../session.js';
import { PLATFORMS } from '../format.js';
import { copyable } from '../components/secret.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { button, page } from '../components/page.js';
import { choice, field, input } from '../components/form.js';
import { askToRemove, formDialog } from '../components/dialog.js';
import { table } from '../components/table.js';
import { reload } from '../reload.js';

const FILES = { ios: 'GoogleService-Info.plist', android: 'google-services.json', web: 'firebase-config.json' };

export async function show({ project, signal }) {
    const { apps = [] } = await get(path`/projects/${project}/apps`, { pageSize: 200 }, signal);
    const edits = may('administrator', project);
    return page(
        'Apps',
        {
            lead: 'Each app carries a configuration file that leads its devices to this server.',
            actions: edits && button([icon('plus'), 'Add an app'], () => add(project), 'primary'),
        },
        apps.length
            ? table('Apps', columns(project, edits), apps)
            : nothing('There is no app yet.', h('p', {}, 'Add the one that shall get notifications.')),
    );
}

function columns(project, edits) {
    return [
        { title: 'Name', cell: (app) => app.displayName || app.bundleId },
        { title: 'Platform', cell: (app) => PLATFORMS[app.platform] ?? app.platform },
        { title: 'Bundle or package', cell: (app) => h('code', {}, app.bundleId ?? '') },
        {
            title: 'App id',
            cell: (app) => copyable(app.appId, `Copy the app id of ${app.displayName || app.bundleId}`),
        },
        { title: 'Configuration', cell: (app) => download(project, app) },
        {
            title: '',
            cell: (app) =>
                edits &&
                button('Remove', () => erase(project, app), 'quiet danger', {
                    'aria-label': `Remove ${app.displayName || app.bundleId}`,
                }),
        },
    ];
}

function download(project, app) {
    const name = FILES[app.platform];
    return h(
        'a',
        { class: 'button', href: downloadAddress(path`/projects/${project}/apps/${app.appId}/config`), download: name },
        icon('download'),
        name,
    );
}

function add(project) {
    formDialog('Add an app', {
        content: [
            choice(
                'Platform',
                'platform',
                [
                    ['ios', 'Apple', 'iPhone, iPad, Mac, Watch'],
                    ['android', 'Android'],
                    ['web', 'Web'],
                ],
                'ios',
                () => {},
            ),
            field('Bundle or package id', input('bundleId', { autocapitalize: 'none', spellcheck: 'false' }), {
                hint: 'As in Xcode: com.example.weather. A web app has none.',
            }),
            field('Name', input('displayName', { maxlength: 100 }), { optional: true }),
        ],
        submit: 'Add the app',
        send: async (values) => {
            await post(path`/projects/${project}/apps`, filled(values));
            announce('The app is added. Download its configuration now.');
            reload();
        },
    });
}

function erase(project, app) {
    askToRemove(
        `Remove ${app.displayName || app.bundleId}?`,
        'Its devices get no more messages, and cannot register again with its configuration file.',
        'Remove the app',
        path`/projects/${project}/apps/${app.appId}`,
        'The app is removed.',
    );
}

/** Without what was left empty. */
function filled(values) {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
