"""An application that is called in this process, without a network."""

import asyncio

import httpx

ADDRESS = "http://127.0.0.1"


class InProcess:
    """A client of an application in this process; keeps cookies, like a browser."""

    def __init__(self, app, base_url=ADDRESS):
        self.app = app
        self.cookies = httpx.Cookies()
        self._base_url = base_url

    def request(self, method, path, content=None, **more):
        return asyncio.run(self._request(method, path, content, **more))

    async def _request(self, method, path, content, **more):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        if content is not None and not isinstance(content, (bytes, str)):
            content = _slowly(content)
        async with httpx.AsyncClient(
            transport=transport, base_url=self._base_url, cookies=self.cookies
        ) as client:
            answer = await client.request(method, path, content=content, **more)
            self.cookies = client.cookies
            return answer

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def post(self, path, **more):
        return self.request("POST", path, **more)


async def _slowly(pieces):
    for piece in pieces:
        yield piece
