// What server this is, and where its doors are.

import { h } from '../dom.js';
import { get } from '../api.js';
import { moment } from '../format.js';
import { copyable } from '../components/secret.js';
import { facts, page, part } from '../components/page.js';

const DOORS = {
    http: 'HTTP',
    https: 'HTTPS',
    mcs: 'Device channel',
    xmpp: 'XMPP',
    apns: 'APNs simulator',
    proxy: 'Redirect proxy',
};

export async function show({ signal }) {
    const server = await get('/server', {}, signal);
    return page(
        'Server',
        {},
        facts([
            ['Version', server.version],
            ['Kind', server.isEmulator ? 'Emulator: nothing leaves this machine' : 'Production'],
            ['Started', server.startedAt && moment(server.startedAt)],
        ]),
        part(
            'Doors',
            { lead: 'Where apps and app servers reach it.' },
            facts(
                Object.entries(server.doors ?? {})
                    .filter(([, place]) => place)
                    .map(([name, place]) => [
                        DOORS[name] ?? name,
                        copyable(String(place), `Copy the address of ${DOORS[name] ?? name}`),
                    ]),
            ),
        ),
        part(
            'For programs',
            { lead: 'Everything on these pages is done through a documented API.' },
            h(
                'ul',
                {},
                h(
                    'li',
                    {},
                    h(
                        'a',
                        { href: '/console/v1/openapi.json', download: 'pharos-console.json' },
                        'Its description (OpenAPI)',
                    ),
                ),
                h('li', {}, 'A token for scripts is made on the page of your account.'),
            ),
        ),
    );
}
