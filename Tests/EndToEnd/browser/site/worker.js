// Tells the pages of this site what was pushed.
'use strict';

addEventListener('install', () => skipWaiting());
addEventListener('activate', event => event.waitUntil(clients.claim()));

addEventListener('push', event => event.waitUntil((async () => {
    const text = event.data ? await event.data.text() : null;
    await registration.showNotification('Pushed', { body: text ?? '', tag: 'pushed' });
    for (const client of await clients.matchAll({ includeUncontrolled: true })) {
        client.postMessage({ event: 'push', text });
    }
})()));
