// Service accounts: what app servers sign in with for HTTP v1.

import { h } from '../../dom.js';
import { get, path, post } from '../../api.js';
import { announce } from '../../shell.js';
import { may } from '../../session.js';
import { icon } from '../../components/icon.js';
import { nothing } from '../../components/notice.js';
import { button, part, working } from '../../components/page.js';
import { askToRemove } from '../../components/dialog.js';
import { showSecret } from '../../components/secret.js';
import { table } from '../../components/table.js';
import { reload } from '../../reload.js';

/** @param {string} project @param {AbortSignal} signal */
export async function serviceAccounts(project, signal) {
    const { serviceAccounts: accounts = [] } = await get(
        path`/projects/${project}/service-accounts`,
        { pageSize: 200 },
        signal,
    );
    const edits = may('administrator', project);
    return part(
        'Service accounts',
        {
            lead: 'An app server sends through HTTP v1 with the key file of one.',
            actions:
                edits && button([icon('plus'), 'New service account'], (event) => create(project, event.currentTarget)),
        },
        accounts.length
            ? table(
                  'Service accounts',
                  [
                      { title: 'Address', cell: (account) => h('code', {}, account.email) },
                      {
                          title: 'Key id',
                          cell: (account) => h('code', {}, account.keyId),
                      },
                      {
                          title: '',
                          cell: (account) =>
                              edits &&
                              button('Delete', () => erase(project, account), 'quiet danger', {
                                  'aria-label': `Delete ${account.email}`,
                              }),
                      },
                  ],
                  accounts,
              )
            : nothing('No app server can send through HTTP v1 yet.'),
    );
}

function create(project, control) {
    const work = async () => {
        const made = await post(path`/projects/${project}/service-accounts`);
        const dialog = showSecret('key file', JSON.stringify(made.keyFile, null, 2), {
            file: `${project}-service-account.json`,
            explanation:
                'The private key inside is shown this once. Save the file where only your app server can read it.',
        });
        dialog.addEventListener('close', reload);
    };
    return working(control, work, (error) => announce(error.message));
}

function erase(project, account) {
    askToRemove(
        `Delete ${account.email}?`,
        'App servers that sign in with it are refused from now on.',
        'Delete the account',
        path`/projects/${project}/service-accounts/${account.serviceAccountId}`,
        'The service account is deleted.',
    );
}
