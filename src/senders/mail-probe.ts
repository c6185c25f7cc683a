import nodemailer from 'nodemailer';
import type { MailSettings } from '../core/watch/deliveries/mail-settings.ts';
import { transportOptions } from './email.ts';
import { type MailFault, problemOf, replyOf } from './mail-faults.ts';

/** A user waits. */
const TIMEOUT_MS = 5_000;

/** Connects and logs in. Null: it works. */
export async function probeMailServer(settings: MailSettings, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  const transport = nodemailer.createTransport(transportOptions(settings, timeoutMs));
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const fault = error as MailFault;
    return `${problemOf(fault.code, fault.command)} (${replyOf(fault)})`;
  } finally {
    transport.close();
  }
}
