// Keys and certificates of the Apple developer account, with which the server speaks to APNs, Apple's push service.

import { h, replace } from '../../dom.js';
import { get, path, post } from '../../api.js';
import { may } from '../../session.js';
import { day } from '../../format.js';
import { icon } from '../../components/icon.js';
import { badge, nothing, notice, problem } from '../../components/notice.js';
import { button, part } from '../../components/page.js';
import { askToRemove } from '../../components/dialog.js';
import { table } from '../../components/table.js';
import { uploadCertificate, uploadKey } from './upload.js';

/** @param {string} project @param {AbortSignal} signal */
export async function apnsKeys(project, signal) {
    const answer = await get(path`/projects/${project}/apns-keys`, {}, signal);
    const keys = answer.apnsKeys ?? [];
    const edits = may('administrator', project);
    const result = h('div', { class: 'result', 'aria-live': 'polite' });
    return part(
        'APNs keys',
        {
            lead: 'APNs is Apple’s push service. Keys come from the Apple developer account, under Certificates, Identifiers & Profiles.',
            actions: edits && [
                button([icon('plus'), 'Upload a key'], () => uploadKey(project)),
                button('Upload a certificate', () => uploadCertificate(project)),
            ],
        },
        keys.length
            ? table('APNs keys', columns(project, edits, result), keys)
            : nothing('Without an APNs key no Apple device gets a message.'),
        result,
    );
}

/** Certificates that are over soon are worth a colour. */
const SOON_MILLISECONDS = 30 * 86_400_000;

function nameOf({ kind, keyId, name }) {
    return kind === 'certificate' ? h('bdi', {}, name ?? `Certificate ${keyId}`) : h('code', {}, keyId);
}

function expiry({ expiresAt }) {
    if (!expiresAt) return 'Never';
    const left = Date.parse(expiresAt) - Date.now();
    if (left > SOON_MILLISECONDS) return day(expiresAt);
    return badge(`${left > 0 ? 'Soon' : 'Over'}: ${day(expiresAt)}`, left > 0 ? 'warning' : 'bad');
}

function columns(project, edits, result) {
    return [
        { title: 'Key', cell: nameOf },
        { title: 'Team id', cell: (key) => key.teamId && h('code', {}, key.teamId) },
        { title: 'Apps', cell: (key) => (key.bundleIds?.length ? key.bundleIds.join(', ') : 'All') },
        { title: 'For', cell: (key) => key.environments.join(', ') },
        { title: 'Expires', cell: expiry },
        {
            title: '',
            cell: (key) =>
                edits &&
                h(
                    'div',
                    { class: 'actions' },
                    button('Check with APNs', () => check(project, key, result), '', {
                        'aria-label': `Check ${key.name ?? key.keyId} with APNs`,
                    }),
                    button('Delete', () => erase(project, key), 'quiet danger', {
                        'aria-label': `Delete ${key.name ?? key.keyId}`,
                    }),
                ),
        },
    ];
}

async function check(project, key, result) {
    replace(result, h('p', {}, `Asking APNs with ${key.name ?? key.keyId} …`));
    try {
        const answer = await post(`${path`/projects/${project}/apns-keys/${key.keyId}`}:check`);
        replace(
            result,
            answer.results.map(({ isGood, title, message, nextStep }) =>
                notice(
                    isGood ? 'good' : 'warning',
                    h('p', {}, h('strong', {}, title), ` ${message}`),
                    nextStep && h('p', {}, nextStep),
                ),
            ),
        );
    } catch (error) {
        replace(result, problem(error));
    }
}

function erase(project, { keyId, name }) {
    askToRemove(
        `Delete ${name ?? `the key ${keyId}`}?`,
        'Apple devices whose apps use it get no messages until there is another one.',
        'Delete it',
        path`/projects/${project}/apns-keys/${keyId}`,
        'It is deleted.',
    );
}
