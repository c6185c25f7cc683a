import type { Response } from 'express';
import type { PortalFile } from '../portal/files.ts';

const NAMES = { br: 'br', gz: 'gzip' } as const;

/** Sends the file in the best encoding that the client accepts. */
export async function sendFile(
  response: Response,
  file: PortalFile,
  headers: Record<string, string> = {},
): Promise<void> {
  const accepted = response.req.acceptsEncodings();
  const [encoding] = [...file.encodings].filter((one) => accepted.includes(NAMES[one]));
  const bytes = await file.read(encoding);
  response.set(headers).vary('Accept-Encoding').type(file.type);
  if (encoding) response.set('content-encoding', NAMES[encoding]);
  response.send(bytes);
}
