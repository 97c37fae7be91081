// A page that subscribes to web push, plainly and as the Firebase JavaScript SDK does it.
'use strict';

navigator.serviceWorker.addEventListener('message', event => pharosTell(JSON.stringify(event.data)));

const text = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

// Resolves when this registration's own worker runs: `ready` is about the page's.
async function active(registration) {
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    if (worker.state === 'activated') return;
    await new Promise(resolve => worker.addEventListener(
        'statechange', () => worker.state === 'activated' && resolve()));
}

async function subscribe(applicationServerKey, script = 'worker.js', scope = '/') {
    const registration = await navigator.serviceWorker.register(script, { scope });
    await active(registration);
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    return subscription.toJSON();
}

// Ends the subscription of a scope.
async function unsubscribe(scope) {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return (await registration.pushManager.getSubscription()).unsubscribe();
}

async function post(url, headers, body, method = 'POST') {
    const answer = await fetch(url, {
        method, headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
        body: body === null ? undefined : JSON.stringify(body)
    });
    return { status: answer.status, body: await answer.json() };
}

function newInstallationID() {
    const bytes = crypto.getRandomValues(new Uint8Array(17));
    bytes[0] = 0b01110000 + bytes[0] % 0b00010000;
    return text(bytes).slice(0, 22);
}

// The calls of getToken(): an installation, a subscription with FCM's own key, a registration.
async function getToken(options, applicationServerKey, vapidKey) {
    const installation = await post(
        `https://firebaseinstallations.googleapis.com/v1/projects/${options.project}/installations`,
        { 'x-goog-api-key': options.api_key },
        { fid: newInstallationID(), authVersion: 'FIS_v2', appId: options.web_app_id, sdkVersion: 'w:0.6.24' });
    const subscription = await subscribe(applicationServerKey);
    const registration = await post(
        `https://fcmregistrations.googleapis.com/v1/projects/${options.project}/registrations`,
        {
            'x-goog-api-key': options.api_key,
            'x-goog-firebase-installations-auth': `FIS ${installation.body.authToken.token}`
        },
        {
            web: {
                origin: location.host, endpoint: subscription.endpoint, p256dh: subscription.keys.p256dh,
                auth: subscription.keys.auth, ...(vapidKey ? { applicationPubKey: vapidKey } : {})
            }
        });
    return { installation, subscription, registration };
}
