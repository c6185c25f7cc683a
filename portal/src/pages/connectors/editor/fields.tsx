import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FieldMessages } from '../../../api/field-messages.ts';
import { t } from '../../../language/index.ts';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { credentialsQuery } from '../../settings/credentials/credentials.ts';
import { AUTH_LABELS } from '../connectors.ts';
import { AUTH_TYPES, type Draft, type DraftFields, fieldsOf, PATHS, withFields } from './definition.ts';

const KEY_PLACES = [
  { value: 'header', label: t('In a header') },
  { value: 'query', label: t('In the query') },
] as const;

export interface DraftProps {
  draft: Draft;
  messages: FieldMessages;
  onChange(draft: Draft): void;
}

/** The members of a definition that most connectors need. */
export function DefinitionFields({ isNew, draft, messages, onChange }: DraftProps & { isNew: boolean }) {
  const form = fieldsOf(draft);
  const field = bind<DraftFields>({
    form,
    messages: { ...messages, at: (name) => messages.at(PATHS[name as keyof DraftFields]) },
    onChange: (changed) => onChange(withFields(draft, changed)),
  });
  const { authType } = form;
  return (
    <>
      <div className="fields">
        <TextField label={t('Name')} maxLength={200} {...field.text('name')} />
        {isNew && (
          <TextField
            label={t('Slug')}
            help={t('Calls name it by this. It cannot be changed.')}
            maxLength={100}
            autoComplete="off"
            {...field.text('slug')}
          />
        )}
      </div>
      <TextArea label={t('Description')} {...field.text('description')} />
      <div className="fields">
        <TextField
          label={t('Production address')}
          placeholder="https://api.example.com/v1"
          inputMode="url"
          {...field.text('production')}
        />
        <TextField
          label={t('Staging address')}
          help={t('Optional, for trying.')}
          inputMode="url"
          {...field.text('staging')}
        />
      </div>
      <div className="fields">
        <SelectField
          label={t('Authentication')}
          options={AUTH_TYPES.map((value) => ({ value, label: AUTH_LABELS[value] }))}
          {...field.choice('authType')}
        />
        {authType === 'apiKey' && (
          <>
            <SelectField label={t('Place of the key')} options={KEY_PLACES} {...field.choice('keyIn')} />
            <TextField label={t('Name of the header or parameter')} {...field.text('keyName')} />
          </>
        )}
        {authType === 'oauth2' && <TextField label={t('Token URL')} inputMode="url" {...field.text('tokenUrl')} />}
        {authType !== 'none' && <CredentialField field={field} chosen={form.credential} />}
        <TextField
          label={t('Timeout in milliseconds')}
          placeholder="30000"
          inputMode="numeric"
          {...field.text('timeoutMs')}
        />
      </div>
    </>
  );
}

interface CredentialFieldProps {
  field: ReturnType<typeof bind<DraftFields>>;
  chosen: string;
}

function CredentialField({ field, chosen }: CredentialFieldProps) {
  const { data } = useQuery(credentialsQuery);
  const stored = data?.credentials.map(({ name }) => name) ?? [];
  const names = chosen === '' || stored.includes(chosen) ? stored : [chosen, ...stored];
  return (
    <SelectField
      label={t('Credential')}
      help={t.nodes('Its secret is stored in {credentials}.', {
        credentials: <Link to="/settings/credentials">{t('the credentials')}</Link>,
      })}
      options={[{ value: '', label: t('None|credential') }, ...names.map((name) => ({ value: name, label: name }))]}
      {...field.choice('credential')}
    />
  );
}
