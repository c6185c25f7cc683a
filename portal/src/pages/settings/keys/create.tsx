import { answerOf, api, client } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { LimitsField } from '../../../limits/limits-field.tsx';
import { limitPaths, limitsFormOf, limitsOf } from '../../../limits/state.ts';
import { within } from '../../../ui/bind.ts';
import { Combobox } from '../../../ui/combobox.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { KEYS } from './keys.ts';
import { ScopeChoices } from './scope-choices.tsx';
import { holds, PRESETS, type Preset, reasonAgainst, SCOPES } from './scopes.ts';
import type { KeyScope, NewKey } from './types.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '', label: t('As this server has it by default') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
  { value: 'never', label: t('Never') },
] as const;

type Lifetime = (typeof LIFETIMES)[number]['value'];

/** Without a member the default of the installation applies. */
function expiryOf(lifetime: Lifetime): { expiresAt?: string | null } {
  if (lifetime === '') return {};
  return { expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString() };
}

const START = {
  label: '',
  preset: PRESETS[0]!,
  own: new Set() as ReadonlySet<KeyScope>,
  agentId: '',
  expiresAt: '' as Lifetime,
};

export function CreateKey({ onMade, onClose }: { onMade(key: NewKey): Promise<void>; onClose(): void }) {
  const { scopes: held, limits: own } = useSession();
  const start = { ...START, limits: limitsFormOf(own[0]) };
  const { data: agents } = api.useQuery('get', '/api/v1/portal/agents', { params: { query: { limit: 500 } } });
  const create = async ({ label, preset, own, agentId, expiresAt, limits }: typeof start) => {
    const scopes = preset.value === 'own' ? [...own] : [...preset.scopes];
    const body = { label, scopes, agentId: agentId.trim() || null, limits: limitsOf(limits), ...expiryOf(expiresAt) };
    await onMade(await answerOf(client.POST(KEYS, { body })));
  };
  return (
    <FormDialog
      title={t('New API key')}
      act={t('Make the key')}
      start={start}
      paths={['label', 'agentId', 'expiresAt', 'scopes', ...limitPaths('limits.')]}
      onSubmit={create}
      onClose={onClose}
    >
      {({ form, field, messages, onChange }) => (
        <>
          <TextField
            label={t('Label')}
            help={t('Where it is used: a program, a computer. It is shown as author of what the key does.')}
            maxLength={200}
            {...field.text('label')}
          />
          <PresetField value={form.preset} onChoose={(chosen) => onChange({ preset: chosen })} />
          {form.preset.value === 'own' && (
            <ScopeChoices
              legend={t('It may')}
              scopes={SCOPES.map((scope) => ({ scope, grantable: holds(held, scope) }))}
              chosen={form.own}
              error={messages.at('scopes')}
              onChoose={(chosen) => onChange({ own: chosen })}
            />
          )}
          <Combobox
            label={t('Agent')}
            help={t(
              'What the key writes and asks belongs to this agent. Empty: each request names one, or asks for all.',
            )}
            suggestions={agents?.agents.map(({ name }) => ({ value: name })) ?? []}
            {...field.value('agentId')}
          />
          <LimitsField {...within({ form, messages, onChange }, 'limits')} path="limits." />
          <SelectField label={t('Expires')} options={LIFETIMES} {...field.choice('expiresAt')} />
        </>
      )}
    </FormDialog>
  );
}

function PresetField({ value, onChoose }: { value: Preset; onChoose(preset: Preset): void }) {
  const { scopes: held } = useSession();
  return (
    <fieldset className="choices">
      <legend>{t('What it is for')}</legend>
      {PRESETS.map((preset) => {
        const reason = reasonAgainst(preset.scopes, held);
        return (
          <label key={preset.value} className="choice">
            <input
              type="radio"
              name="preset"
              checked={value === preset}
              disabled={reason !== undefined}
              onChange={() => onChoose(preset)}
            />
            <span>
              {preset.label}
              <span className="small muted"> · {reason ?? preset.purpose}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
