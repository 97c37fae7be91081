"""PyPI firebase-messaging: registers as a browser does and tells each message that it receives."""
import redirected  # noqa: F401  (first: it changes name resolution)

import asyncio
import logging

import aiohttp
from firebase_messaging import FcmPushClient, FcmPushClientConfig, FcmRegisterConfig

logging.basicConfig(level=logging.DEBUG)


class Login(logging.Handler):
    """The library has no callback for a login; its log line is the event."""

    def emit(self, record):
        if "Successfully logged in" in record.getMessage():
            redirected.say("logged_in")


async def main():
    settings = redirected.command()
    config = FcmRegisterConfig(
        settings["project"], settings["app_id"], settings["api_key"], settings["sender_id"])
    library = logging.getLogger("firebase_messaging.fcmpushclient")
    library.addHandler(Login())
    # With aiodns installed, aiohttp would not ask the system for names.
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=aiohttp.ThreadedResolver()))
    client = FcmPushClient(
        lambda message, persistent_id, _: redirected.say("message", message=message, persistent_id=persistent_id),
        config, settings.get("credentials"), lambda credentials: redirected.say("credentials", credentials=credentials),
        received_persistent_ids=settings.get("received"), http_client_session=session,
        config=FcmPushClientConfig(
            # The library retries by the clock; a short one makes a test of a restart short.
            start_seconds_before_retry_connect=0.2, reset_interval=0.2, monitor_interval=0.1,
            connection_retry_count=30, **settings.get("client", {})))
    token = await client.checkin_or_register()
    redirected.say("registered", token=token)
    loop = asyncio.get_running_loop()
    while command := await loop.run_in_executor(None, redirected.command):
        match command["command"]:
            case "start":
                await client.start()
            case "stop":
                await client.stop()
                await asyncio.gather(*client.tasks, return_exceptions=True)
                redirected.say("stop", received=client.persistent_ids)
    await client.stop()
    await session.close()


asyncio.run(main())
