import * as http from 'node:http';
import * as https from 'node:https';

// The image may have no shell and no curl.

const options = {
  host: '127.0.0.1',
  port: process.env.PORT || 3000,
  path: '/readyz',
  timeout: 4_000,
  // The certificate has the public name of the server.
  rejectUnauthorized: false,
};

function ask(client, otherwise) {
  const request = client.get(options, ({ statusCode }) => (statusCode === 200 ? process.exit(0) : otherwise()));
  request.on('error', otherwise);
  request.on('timeout', otherwise);
}

ask(http, () => ask(https, () => process.exit(1)));
