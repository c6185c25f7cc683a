import { type SubmitEvent, useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { fieldMessages } from '../../../api/field-messages.ts';
import { invalidate } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { OtherMessages, useTask } from '../../../ui/refusal.tsx';
import { announce } from '../../../ui/toast.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((value) => ({
  value,
}));

/** The time zone in which days of the workspace begin. */
export function TimeZone({ stored }: { stored: string }) {
  const [zone, setZone] = useState(stored);
  const { error, isBusy, run } = useTask();
  const messages = fieldMessages(error, ['timezone']);
  const save = async () => {
    await answerOf(client.PATCH(SETTINGS, { body: { timezone: zone.trim() } }));
    await invalidate((path) => path === SETTINGS || path === '/api/v1/portal/me');
    announce('The time zone is saved');
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(save);
  };
  return (
    <section className="panel padded stack" aria-labelledby="time-zone">
      <h2 id="time-zone">Time zone</h2>
      <form className="stack" aria-labelledby="time-zone" noValidate onSubmit={submit}>
        <Combobox
          label="Time zone of the workspace"
          help="Days of charts and dates without an offset are in it, for everybody. What is stored stays as it is."
          value={zone}
          suggestions={ZONES}
          error={messages.at('timezone')}
          onChange={setZone}
        />
        <OtherMessages messages={messages.others} />
        <div className="row">
          <Button type="submit" disabled={isBusy || zone === stored}>
            Save time zone
          </Button>
        </div>
      </form>
    </section>
  );
}
