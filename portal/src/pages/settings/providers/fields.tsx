import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { type Bound, bind } from '../../../ui/bind.ts';
import { Check, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { type Provider, VENDOR_LABELS, type Vendor } from './providers.ts';
import type { ProviderForm } from './state.ts';

const VENDORS = Object.entries(VENDOR_LABELS).map(([value, label]) => ({ value: value as Vendor, label }));

interface FieldsProps extends Bound<ProviderForm> {
  /** Null for a new one. */
  stored: Provider | null;
  onlyName: boolean;
}

/** The usual members of a definition. */
export function ProviderFields({ onlyName, ...props }: FieldsProps) {
  const { stored } = props;
  const field = bind(props);
  return (
    <>
      {stored === null && (
        <TextField
          label={t('Name')}
          help={t('Chats name it as providerName. It cannot be changed.')}
          maxLength={100}
          autoFocus
          autoComplete="off"
          {...field.text('name')}
        />
      )}
      {!onlyName && (
        <>
          <ConnectionFields {...props} />
          <ChatFields {...props} />
          <NetworkField {...props} />
        </>
      )}
    </>
  );
}

type PartProps = Omit<FieldsProps, 'onlyName'>;

function ConnectionFields({ stored, ...part }: PartProps) {
  const { form } = part;
  const field = bind(part);
  const key = stored?.definition.apiKey;
  const isCustom = form.provider === 'custom';
  return (
    <>
      <SelectField label={t('Vendor')} {...field.choice('provider')} options={VENDORS} />
      <TextField
        label={t('Base URL')}
        type="url"
        placeholder={isCustom ? 'https://llm.example.com/v1' : ''}
        help={
          <>
            {isCustom
              ? t('The address of the server, usually with /v1 at its end.')
              : t('Empty: the vendor’s own address.')}
            {key === 'set' && ` ${t('With another one, send the key again: a stored key goes to no other address.')}`}
          </>
        }
        {...field.text('baseUrl')}
      />
      <TextField
        label={t('API key')}
        type="password"
        autoComplete="new-password"
        disabled={form.removesKey}
        help={keyHelp(key, isCustom)}
        {...field.text('apiKey')}
      />
      {key !== undefined && <Check label={t('Remove the stored key')} {...field.check('removesKey')} />}
      {form.provider === 'bedrock' && (
        <TextField label={t('Region')} placeholder="eu-central-1" {...field.text('region')} />
      )}
    </>
  );
}

function keyHelp(key: Provider['definition']['apiKey'], isCustom: boolean): string {
  if (key === 'set') return t('One is stored. Leave it empty to keep it.');
  if (key !== undefined) {
    return t('It is read from the variable {name}. Leave it empty to keep that.', { name: key.env });
  }
  const sealed = t('It is stored sealed and not shown again.');
  return isCustom ? `${sealed} ${t('Your own server may need none.')}` : sealed;
}

function ChatFields(part: PartProps) {
  const [field, ofDefaults, ofPrice] = [bind(part), bind(part, 'defaults.'), bind(part, 'price.')];
  return (
    <>
      <fieldset className="stack tight">
        <legend>{t('Where a chat says nothing')}</legend>
        <div className="halves">
          <TextField
            label={t('Temperature')}
            inputMode="decimal"
            placeholder={t('0 to 2')}
            {...ofDefaults.text('temperature')}
          />
          <TextField label={t('Most tokens of an answer')} inputMode="numeric" {...ofDefaults.text('maxTokens')} />
        </div>
        <TextArea label={t('Instructions')} rows={2} {...ofDefaults.text('instructions')} />
      </fieldset>
      <TextArea
        label={t('Fallbacks')}
        help={t(
          'When it does not answer, in this order. A line for each: a vendor or one of your providers, and the model.',
        )}
        placeholder={'openai gpt-4.1-mini\nlocal llama3.2'}
        rows={2}
        spellCheck={false}
        {...field.text('fallbacks')}
      />
      <fieldset className="stack tight">
        <legend>{t('Price in US dollars for a million tokens')}</legend>
        <div className="halves">
          <TextField
            label={t('Input')}
            inputMode="decimal"
            placeholder={t('public price')}
            {...ofPrice.text('inputPerMillion')}
          />
          <TextField
            label={t('Output')}
            inputMode="decimal"
            placeholder={t('public price')}
            {...ofPrice.text('outputPerMillion')}
          />
        </div>
      </fieldset>
      <TextField
        label={t('Timeout')}
        help={t('Seconds to the first words of an answer. Empty: the server’s.')}
        inputMode="decimal"
        {...field.text('timeout')}
      />
    </>
  );
}

function NetworkField(part: PartProps) {
  const { operates } = useSession();
  const error = part.messages.at('allowPrivateNetwork');
  return (
    <div className="field">
      <Check
        label={t('It may be in a private network')}
        help={
          operates
            ? t('For a model on this machine or in your own network.')
            : t('Only the operator allows this: a super administrator of the only tenant, or the command line.')
        }
        disabled={!operates}
        {...bind(part).check('allowPrivateNetwork')}
      />
      {error !== undefined && <p className="field-error">{error}</p>}
    </div>
  );
}
