import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Server } from '../../support/process.ts';
import { COUNTED_AT } from './alerts-clock.ts';

/** Events that switch an alert on and off, each stored once, whatever becomes of the server. */
export class Flips {
  private readonly key: string;
  private readonly eventName: string;
  private readonly running: Promise<void>;
  private server: Server | null = null;
  private stopped = false;
  private count = 0;
  private receipt = '';

  constructor(key: string, eventName: string) {
    this.key = key;
    this.eventName = eventName;
    this.running = this.run();
  }

  /** Where the server is now; null while there is none. */
  aim(server: Server | null): void {
    this.server = server;
  }

  /** Switches the alert off. Answers the receipt of the last event. */
  async stop(): Promise<string> {
    this.stopped = true;
    await this.running;
    return this.receipt;
  }

  private async run(): Promise<void> {
    while (!this.stopped || this.count % 2 === 1) {
      await this.send();
      await sleep(250 + Math.random() * 1_000);
    }
  }

  private async send(): Promise<void> {
    const events = [
      {
        id: `${this.eventName}-${this.count}`,
        eventName: this.eventName,
        timestamp: COUNTED_AT,
        properties: { change: this.count % 2 === 0 ? 1 : -1 },
      },
    ];
    const receipt = async () => (await this.server?.ingest(this.key, events).catch(() => null)) ?? false;
    this.receipt = (await eventually('an event is accepted', receipt, 30_000)).found;
    this.count += 1;
  }
}
