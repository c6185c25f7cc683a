import * as http from 'node:http';
import * as https from 'node:https';

// The image has no shell and no curl.

const isTls = Boolean(process.env.AGENT_RUNTIME_TLS_CERTIFICATE);
const options = {
  host: '127.0.0.1',
  port: process.env.PORT || 3000,
  path: '/readyz',
  timeout: 4_000,
  // The certificate has the public name of the server.
  rejectUnauthorized: false,
};
const request = (isTls ? https : http).get(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on('error', () => process.exit(1));
request.on('timeout', () => process.exit(1));
