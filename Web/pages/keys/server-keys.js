// Server keys: what old app servers send with, through the protocols before HTTP v1.

import { get, path, post } from '../../api.js';
import { announce } from '../../shell.js';
import { may } from '../../session.js';
import { day } from '../../format.js';
import { icon } from '../../components/icon.js';
import { nothing } from '../../components/notice.js';
import { button, part, working } from '../../components/page.js';
import { askToRemove } from '../../components/dialog.js';
import { showSecret } from '../../components/secret.js';
import { table } from '../../components/table.js';
import { reload } from '../../reload.js';

/** @param {string} project @param {AbortSignal} signal */
export async function serverKeys(project, signal) {
    const { serverKeys: keys = [] } = await get(path`/projects/${project}/server-keys`, { pageSize: 200 }, signal);
    const edits = may('administrator', project);
    return part(
        'Server keys',
        {
            lead: 'Only for app servers that still use the legacy HTTP protocol or XMPP.',
            actions: edits && button([icon('plus'), 'New server key'], (event) => create(project, event.currentTarget)),
        },
        keys.length
            ? table(
                  'Server keys',
                  [
                      { title: 'Key', cell: (key) => nameOf(key) },
                      { title: 'Made', cell: (key) => (key.createdAt ? day(key.createdAt) : '') },
                      {
                          title: '',
                          cell: (key) =>
                              edits &&
                              button('Delete', () => erase(project, key), 'quiet danger', {
                                  'aria-label': `Delete server key ${nameOf(key)}`,
                              }),
                      },
                  ],
                  keys,
              )
            : nothing('There is none, and new app servers need none.'),
    );
}

const nameOf = (key) => `No. ${key.serverKeyId}`;

function create(project, control) {
    const work = async () => {
        const made = await post(path`/projects/${project}/server-keys`);
        showSecret('server key', made.key).addEventListener('close', reload);
    };
    return working(control, work, (error) => announce(error.message));
}

function erase(project, key) {
    askToRemove(
        'Delete the server key?',
        'App servers that send with it are refused from now on.',
        'Delete the key',
        path`/projects/${project}/server-keys/${key.serverKeyId}`,
        'The server key is deleted.',
    );
}
