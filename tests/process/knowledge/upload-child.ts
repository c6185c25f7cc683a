import type { AddressInfo } from 'node:net';
import express from 'express';
import { errorHandler } from '../../../src/http/errors.ts';
import { mountRoutes } from '../../../src/http/pipeline.ts';
import { createLog } from '../../../src/logging/log.ts';
import { uploadRoute } from '../../http/body/upload-support.ts';

/** A server that takes files into a directory, and answers with what it has needed so far. It says its port as a line. */
const { services, taking } = uploadRoute(process.argv[2]!, {
  maxBytes: 4 * 1024 ** 3,
  run: async ({ upload }) => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const { size } = upload.file.upload;
    return { status: 202, body: { size, peakBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1_000 } };
  },
});
const app = express();
mountRoutes(app, [taking], { services });
app.use(errorHandler(createLog('silent')));
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
