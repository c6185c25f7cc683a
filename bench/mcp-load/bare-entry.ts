import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { z } from 'zod';

/*
 * The least that the MCP library needs to serve one tool over HTTP, as its documentation has it: a
 * server for each request, without authentication, limits or records.
 */

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'noop',
    { description: 'Does nothing.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
});
const handle = toNodeHandler(handler);
const app = express();
app.post('/mcp', express.json(), (request, response) => handle(request, response, request.body));
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: '' });
});
process.on('message', (question) => (question === 'pid' ? process.send?.(process.pid) : process.exit(0)));
