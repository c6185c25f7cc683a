import { client, type Schemas } from '../../../api/client.ts';
import { EditorForm, useEditor } from '../../../editor/editor-page.tsx';
import { ScheduleFields, TargetRows } from '../../../sending/fields.tsx';
import { type Saved, useSavedSecrets } from '../../../sending/use-saved-secrets.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ALERTS, type Alert, invalidateAlerts } from '../alerts.ts';
import { ConditionPart } from './condition-part.tsx';
import { type AlertForm, requestOf, shownPaths } from './state.ts';
import { SubjectPart } from './subject-part.tsx';

const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
] as const;

/** `alert` is null for a new one. */
export function Editor({ start, alert }: { start: AlertForm; alert: Alert | null }) {
  const editing = useEditor(start, requestOf, shownPaths);
  const { form, change, messages } = editing;
  const { secrets, onSaved } = useSavedSecrets('alert', alert === null, invalidateAlerts);
  if (secrets) return secrets;

  const save = () =>
    editing.save(() => (alert === null ? create(requestOf(form)) : changeAlert(alert.id, editing.changed())), onSaved);
  return (
    <EditorForm noun="alert" title={alert?.title ?? null} editing={editing} onSave={() => void save()}>
      <section className="panel padded stack" aria-labelledby="subject">
        <h2 id="subject">What is checked</h2>
        <TextField
          label="Title"
          help="Messages begin with it."
          placeholder="Few orders"
          value={form.title}
          maxLength={200}
          error={messages.at('title')}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <SubjectPart form={form} messages={messages} onChange={change} />
      </section>
      <ConditionPart form={form} messages={messages} onChange={change} />
      <section className="panel padded stack" aria-labelledby="schedule">
        <h2 id="schedule">When it is checked</h2>
        <ScheduleFields form={form} messages={messages} onChange={change} />
      </section>
      <section className="panel padded stack" aria-labelledby="targets">
        <h2 id="targets">Targets</h2>
        <TargetRows
          rows={form.targets}
          none="No target yet: the state is shown in the portal alone."
          messages={messages}
          onChange={(targets) => change({ targets })}
        />
        <div className="fields">
          <TextField
            label="Cool-down"
            help="After a message about a problem, only its end is sent during this time."
            inputMode="decimal"
            value={form.cooldown.count}
            error={messages.at('cooldown')}
            onChange={(event) => change({ cooldown: { ...form.cooldown, count: event.currentTarget.value } })}
          />
          <SelectField
            label="Unit of the cool-down"
            value={form.cooldown.unit}
            options={UNITS}
            onChoose={(unit) => change({ cooldown: { ...form.cooldown, unit } })}
          />
        </div>
      </section>
    </EditorForm>
  );
}

async function create(body: Schemas['CreateAlert']): Promise<Saved> {
  const { data, error } = await client.POST(ALERTS, { body });
  if (!data) throw error;
  return { id: data.alert.id, newSecrets: data.newSecrets };
}

/** A member that is sent unchanged would begin the state anew. */
async function changeAlert(id: string, body: Schemas['UpdateAlert']): Promise<Saved> {
  if (Object.keys(body).length === 0) return { id, newSecrets: [] };
  const { data, error } = await client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body });
  if (!data) throw error;
  return { id, newSecrets: data.newSecrets };
}
