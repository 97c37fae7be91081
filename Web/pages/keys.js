// What a project uses to reach Apple, and what app servers use to reach the project.

import { page } from '../components/page.js';
import { apnsKeys } from './keys/apns-keys.js';
import { serviceAccounts } from './keys/service-accounts.js';
import { serverKeys } from './keys/server-keys.js';

export async function show({ project, signal }) {
    const parts = await Promise.all([
        apnsKeys(project, signal),
        serviceAccounts(project, signal),
        serverKeys(project, signal),
    ]);
    return page(
        'Keys',
        { lead: 'New secrets are shown once. The server keeps what it needs to check or use them.' },
        parts,
    );
}
