import { useQuery } from '@tanstack/react-query';
import { answerOf, basePath, client } from '../../../api/client.ts';
import { roleLabel } from '../../../api/roles.ts';
import { invalidate, useSession } from '../../../api/session.ts';
import { type Versioned, versionedAnswerOf } from '../../../api/versions.ts';
import { EditDialog, ReadFirst } from '../../../editor/edit-dialog.tsx';
import { changedOf } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import type { Fields } from '../../../ui/bind.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ActDialog, Dialog } from '../../../ui/dialog.tsx';
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { PRESETS, PROVIDERS, type Preset, type Provider, type ProviderChange } from './providers.ts';
import { emptyForm, formOf, type ProviderForm, requestOf, withPreset, wordsOf } from './state.ts';

export default function ChangeDialog({ change, onClose }: { change: ProviderChange; onClose(): void }) {
  if (change.kind === 'add') return <NewProvider onClose={onClose} />;
  if (change.kind === 'edit') return <EditProvider provider={change.provider} onClose={onClose} />;
  if (change.kind === 'test') return <TestDialog provider={change.provider} onClose={onClose} />;
  return <DeleteProvider provider={change.provider} onClose={onClose} />;
}

const invalidateProviders = () => invalidate((path) => path === PROVIDERS);

const TONES = { ok: 'good', unknown: 'warning', failed: 'bad' } as const;
const WORDS = { ok: t('Good|a check'), unknown: t('Unknown'), failed: t('Failed') } as const;

function TestDialog({ provider: { id, name }, onClose }: { provider: Provider; onClose(): void }) {
  const query = useQuery({
    queryKey: ['post', `${PROVIDERS}/test`, id],
    queryFn: () => answerOf(client.POST(`${PROVIDERS}/{id}/test`, { params: { path: { id } }, body: {} })),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Test of {name}', { name })}
      description={t('What the provider answers just now.')}
    >
      <QueryState query={query} height={160} />
      {data && (
        <ul className="stack" aria-label={t('Checks')}>
          {data.checks.map(({ check, outcome, message }) => (
            <li key={check} className="stack tight">
              <span>
                <Badge tone={TONES[outcome]}>{WORDS[outcome]}</Badge> {message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.works && (
        <p className="muted">{t('Now log in with it in a private window: only that tries all of it.')}</p>
      )}
    </Dialog>
  );
}

function DeleteProvider({ provider: { id, name }, onClose }: { provider: Provider; onClose(): void }) {
  return (
    <ActDialog
      title={t('Delete {name}?', { name })}
      description={t('Nobody can log in with it any more. Users stay, and so do their sessions until they end.')}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${PROVIDERS}/{id}`, { params: { path: { id } } }))}
      invalidate={invalidateProviders}
      done={t('The identity provider was deleted')}
      onClose={onClose}
    />
  );
}

const PRESET_OPTIONS = Object.entries(PRESETS).map(([value, { label }]) => ({ value: value as Preset, label }));
const ROLE_OPTIONS = [
  { value: 'VIEWER', label: t('{role}: reads', { role: roleLabel('VIEWER') }) },
  { value: 'USER', label: t('{role}: reads and records', { role: roleLabel('USER') }) },
  { value: 'HUB_USER', label: t('{role}: reads', { role: roleLabel('HUB_USER') }) },
  { value: '', label: t('None: they are refused') },
] as const;

function NewProvider({ onClose }: { onClose(): void }) {
  return (
    <FormDialog
      title={t('Add an identity provider')}
      act={t('Add')}
      start={emptyForm()}
      onSubmit={(form) => answerOf(client.POST(PROVIDERS, { body: requestOf(form) }))}
      invalidate={invalidateProviders}
      done={t('The identity provider was added')}
      onClose={onClose}
    >
      {(part) => (
        <>
          <SelectField
            label={t('Product')}
            value={part.form.preset}
            options={PRESET_OPTIONS}
            onChoose={(preset) => part.onChange(withPreset(part.form, preset))}
          />
          <ClientFields {...part} isNew />
          <PeopleFields {...part} />
        </>
      )}
    </FormDialog>
  );
}

function EditProvider({ provider: { id, name }, onClose }: { provider: Provider; onClose(): void }) {
  const title = t('Edit {title}', { title: name });
  const path = { id };
  const read = () => versionedAnswerOf(client.GET(`${PROVIDERS}/{id}`, { params: { path } }));
  return (
    <ReadFirst title={title} kind="identity provider" id={id} read={read} onClose={onClose}>
      {(stored: Versioned<Provider>) => (
        <EditDialog
          title={title}
          stored={stored}
          read={read}
          formOf={formOf}
          wordsOf={wordsOf}
          paths={Object.keys(emptyForm()) as (keyof ProviderForm)[]}
          changesOf={(form, before) => changedOf(requestOf(form), requestOf(before))}
          send={(body, etag) =>
            answerOf(client.PATCH(`${PROVIDERS}/{id}`, { params: { path, header: { 'if-match': etag } }, body }))
          }
          invalidate={invalidateProviders}
          done={t('The identity provider was saved')}
          onClose={onClose}
        >
          {(part) => (
            <>
              <ClientFields {...part} isNew={false} />
              <PeopleFields {...part} />
            </>
          )}
        </EditDialog>
      )}
    </ReadFirst>
  );
}

interface FieldsProps {
  form: ProviderForm;
  field: Fields<ProviderForm>;
}

/** The URI that the list shows once the provider is there. */
function redirectUriOf(tenantId: string, id: string): string {
  return `${window.location.origin}${basePath}api/v1/portal/login/sso/${tenantId}/${id}/callback`;
}

function ClientFields({ form, field, isNew }: FieldsProps & { isNew: boolean }) {
  const { tenant } = useSession();
  const redirectUri = redirectUriOf(tenant.id, form.id.trim() || 'ID');
  return (
    <>
      <TextField
        label={t('Name')}
        help={t('On the button: “Continue with {name}”.', { name: form.name || '…' })}
        {...field.text('name')}
        maxLength={60}
      />
      {isNew && (
        <>
          <TextField
            label={t('Id')}
            help={t.nodes('It cannot be changed. Register this redirect URI at the provider: {uri}', {
              uri: <code>{redirectUri}</code>,
            })}
            {...field.text('id')}
            maxLength={32}
          />
          <div className="row">
            <CopyButton text={redirectUri} label={t('Copy redirect URI')}>
              {t('Copy redirect URI')}
            </CopyButton>
          </div>
        </>
      )}
      <TextField
        label={t('Issuer')}
        type="url"
        placeholder={PRESETS[form.preset].issuerExample}
        {...field.text('issuer')}
      />
      <TextField label={t('Client id')} autoComplete="off" {...field.text('clientId')} />
      <TextField
        label={t('Client secret')}
        type="password"
        autoComplete="new-password"
        help={isNew ? t('It is stored sealed and not shown again.') : t('Leave it empty to keep the stored one.')}
        {...field.text('clientSecret')}
      />
    </>
  );
}

function PeopleFields({ form, field }: FieldsProps) {
  return (
    <>
      <TextField
        label={t('Allowed e-mail domains')}
        help={t('Separated by commas; empty: all. Existing users are found by a verified e-mail of these domains.')}
        placeholder="example.com"
        {...field.text('allowedDomains')}
      />
      {form.preset === 'microsoft' && (
        <TextField
          label={t('Allowed directories')}
          help={t(
            'Directory (tenant) IDs, separated by commas. Needed where the issuer is one of several directories.',
          )}
          {...field.text('allowedDirectories')}
        />
      )}
      <TextField
        label={t('Claim with groups or roles')}
        help={t('Empty: roles are given here, in the portal.')}
        placeholder={PRESETS[form.preset].roleClaim}
        {...field.text('roleClaim')}
      />
      {form.roleClaim.trim() !== '' && (
        <TextArea
          label={t('Roles by values of the claim')}
          help={t(
            'A line for each: value = ADMIN, USER, VIEWER or HUB_USER. Set at every login; of several the highest counts.',
          )}
          placeholder={'admins = ADMIN\nstaff = USER'}
          {...field.text('roleMapping')}
        />
      )}
      <SelectField
        label={form.roleClaim.trim() === '' ? t('Role of new users') : t('Role without a mapped value')}
        {...field.choice('defaultRole')}
        options={ROLE_OPTIONS}
      />
      <fieldset className="stack tight">
        <legend className="visually-hidden">{t('Users')}</legend>
        <Check label={t('The first login makes a user')} {...field.check('createUsers')} />
        <Check
          label={t(
            'The first login takes an existing user of the same e-mail, also where the provider does not call it verified',
          )}
          {...field.check('linkByEmail')}
        />
        <Check label={t('People may log in with it')} {...field.check('enabled')} />
        <Check
          label={t('It may let MCP clients act for people, without asking them (enterprise-managed authorization)')}
          {...field.check('mcp')}
        />
      </fieldset>
    </>
  );
}
