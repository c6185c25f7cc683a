import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type AppSettings, testApp } from '../support/app.ts';
import { browserTest } from '../support/browser.ts';
import { type ChatApp, chatApp } from '../support/chat.ts';
import { ingested } from '../support/knowledge.ts';
import { applyConnector, json, petsAt, startApi } from '../support/outside-api.ts';
import { portalPage } from '../support/portal.ts';
import { announced, assertFits, focused } from './support.ts';

const PATH = '/chat';
const NARROW = { width: 320, height: 700 };

/** Its providers `local` and `other` are a fake upstream. */
async function newApp(t: TestContext, settings: AppSettings = {}, members: object = {}): Promise<ChatApp> {
  const price = { inputPerMillion: 1, outputPerMillion: 2 };
  const app = await chatApp(t, { rateLimit: 0, ...settings }, { price, ...members });
  await app.runtime.providers.apply(app.tenantId, {
    name: 'other',
    provider: 'custom',
    baseUrl: app.upstream.baseUrl('custom'),
    allowPrivateNetwork: true,
  });
  return app;
}

const answerOf = (page: Page, model: string) => page.getByRole('article', { name: `Answer of ${model}` }).last();

const message = (page: Page) => page.getByLabel('Message', { exact: true });

/** The page of the chat, on which `local` is to answer as llama3.2. */
async function chatPage(t: TestContext, app: ChatApp, options: Parameters<typeof portalPage>[2] = {}): Promise<Page> {
  const page = await portalPage(t, app, { path: PATH, ...options });
  await page.getByRole('group', { name: 'Model', exact: true }).getByLabel('Model').fill('llama3.2');
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

browserTest('Chat: a newcomer compares two models and reviews one answer', async (t) => {
  const app = await newApp(t);
  const page = await portalPage(t, app);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('heading', { name: 'Try a model' }).waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: /^A customer asks for a refund/ }).click();
  await page.getByRole('group', { name: 'Model', exact: true }).getByLabel('Model').fill('llama3.2');
  await page.getByRole('button', { name: 'Compare with another model' }).click();
  await page.getByRole('group', { name: 'Model 2' }).getByLabel('Model', { exact: true }).fill('qwen3');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const [one, other] = [answerOf(page, 'local/llama3.2'), answerOf(page, 'other/qwen3')];
  await one.getByText('Olá mundo 🌍').waitFor();
  await other.getByText('Olá mundo 🌍').waitFor();
  await one.getByText('$0.000022').waitFor();
  await other.getByText('unknown price').waitFor();
  await assertFits(page);

  await one.getByRole('button', { name: 'Review', exact: true }).click();
  const form = page.getByRole('form', { name: 'The review' });
  await form.getByLabel('Good').check();
  await form.getByLabel('Comment').fill('Kind, and short enough.');
  await form.getByRole('button', { name: 'Save' }).click();
  await announced(page, 'The review was saved');
  await one.getByText('Rated good').waitFor();

  await one.getByRole('link', { name: 'Open the execution' }).click();
  await page.getByText('Kind, and short enough.').waitFor();
  await page.goBack();
  await one.getByText('Olá mundo 🌍').waitFor();
  assert.equal(app.upstream.requests.length, 2);
});

browserTest('Chat: a stopped answer stays, a reload too, and a message is edited', async (t) => {
  const app = await newApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'Half an answer' }, { type: 'hold' }] }, {});
  const page = await chatPage(t, app);
  await ask(page, 'Tell me a **story**.');
  const answer = answerOf(page, 'local/llama3.2');
  await answer.getByText('Half an answer').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await answer.getByText('Stopped: this is what had come until then.').waitFor();
  await app.upstream.whenAborted();
  await focused(message(page));
  await message(page).fill('not sent');
  await page.reload();
  await answer.getByText('Half an answer').waitFor();
  await page.waitForFunction("document.querySelector('.chat-composer textarea')?.value === 'not sent'");

  await page.getByRole('button', { name: 'Edit and send again' }).click();
  await page.getByText('You edit an earlier message').waitFor();
  assert.equal(await message(page).inputValue(), 'Tell me a **story**.');
  await ask(page, 'Tell me a joke.');
  await answer.getByText('Olá mundo 🌍').waitFor();
  assert.equal(await page.getByText('Half an answer').count(), 0);
  assert.deepEqual(app.upstream.requests[1]!.body.messages, [{ role: 'user', content: 'Tell me a joke.' }]);

  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByRole('heading', { name: 'Try a model' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Try a model' }).waitFor();
});

browserTest('Chat: a person answers a call, and says what is wrong with a tool', async (t) => {
  const app = await newApp(t);
  const call = { type: 'toolCall', id: 'call_1', name: 'find_order', arguments: '{"number":"42"}' } as const;
  app.upstream.script({ pieces: [call] }, { pieces: [{ type: 'text', text: 'It was sent.' }] });
  const page = await chatPage(t, app);
  await page.getByRole('button', { name: 'Parameters and tools', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Parameters and tools' });
  await settings.getByLabel('System instructions').fill('Be brief.');
  const functions = settings.getByLabel('Functions as JSON');
  await functions.fill('[\n  { "type": "function", "function": { "name": "find order" } }\n]');
  await settings.getByText('Line 2: name: must be').waitFor();
  await assertFits(page);
  await page.keyboard.press('Escape');
  await message(page).fill('Where is order 42?');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  assert.match((await send.getAttribute('title')) ?? '', /^Some parameters or tools cannot be sent/);
  await page.getByRole('button', { name: 'Parameters and tools (1 set)' }).click();
  await functions.fill('');
  await settings.getByRole('button', { name: 'Begin with an example' }).click();
  await settings.getByRole('button', { name: 'Close' }).click();
  await send.click();
  await page.getByText('Needs a result').waitFor();
  await assertFits(page);
  await page.getByLabel('Result of find_order').fill('sent on Monday');
  await page.getByRole('button', { name: 'Give this result' }).click();
  await page.getByText('It was sent.').waitFor();
  const { messages, tools } = app.upstream.requests[1]!.body;
  assert.deepEqual([messages[0].role, tools.length], ['system', 1]);
  assert.deepEqual([messages.at(-1).role, messages.at(-1).content], ['tool', 'sent on Monday']);
});

browserTest('Chat: a vector store answers by itself with its sources, a connector when asked', async (t) => {
  const app = await newApp(t);
  await ingested(app, { name: 'faq.md', content: '# Refunds\n\nRefunds take up to five working days.\n' });
  const api = await startApi(t, (_, response) => json(response, 200, { name: 'Rex' }));
  await applyConnector(app, petsAt(api.url));
  const search = { type: 'toolCall', id: 'c1', name: 'search_manuals', arguments: '{"query":"refunds"}' } as const;
  const pet = { type: 'toolCall', id: 'c2', name: 'pets_getPet', arguments: '{"path":{"petId":7}}' } as const;
  app.upstream.script({ pieces: [search, pet] }, { pieces: [{ type: 'text', text: 'Five days [1], says Rex.' }] });
  const page = await chatPage(t, app);
  await page.getByRole('button', { name: 'Parameters and tools', exact: true }).click();
  await page.getByRole('button', { name: 'Let the model search manuals' }).click();
  await page.getByLabel('Resource').selectOption('getPet');
  await page.getByRole('button', { name: 'Add getPet of pets as a tool' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await ask(page, 'How long does a refund take?');
  const sources = page.getByRole('list', { name: 'Sources' });
  await sources.getByText('faq.md, Refunds').click();
  await sources.getByText('up to five working days').waitFor();
  assert.equal(api.asked.length, 0);
  await page.getByRole('button', { name: 'Call getPet of pets' }).click();
  await page.getByText('Five days [1], says Rex.').waitFor();
  assert.equal(api.asked[0]!.url.split('?')[0], '/v1/pets/7');
  const results = app.upstream.requests[1]!.body.messages.slice(-2);
  assert.match(results[0].content, /five working days/);
  assert.equal(results[1].content, '{"name":"Rex"}');
  await assertFits(page);
});

browserTest('Chat: dropped parameters, errors in words, and the request as code', async (t) => {
  const app = await newApp(t, {}, { capabilities: { maxOutputTokens: 100 } });
  const message = 'The model sleeps.';
  app.upstream.script(
    {},
    { fault: { type: 'status', status: 400, message } },
    { fault: { type: 'earlyEnd', after: 1 } },
    {},
  );
  const page = await chatPage(t, app, { expected: /400|ERR_INCOMPLETE_CHUNKED/ });
  await page.getByRole('button', { name: 'Parameters and tools', exact: true }).click();
  await page.getByLabel('Most tokens of the answer').fill('500');
  await page.getByLabel('Temperature').fill('3');
  await page.getByText('Write a number from 0 to 2.').waitFor();
  await page.getByLabel('Temperature').fill('');
  await page.keyboard.press('Escape');
  await ask(page, `It's "cheap" at $HOME?`);
  await page.getByText('The model does not take these as they are set: maxTokens: 500 -> 100.').waitFor();
  await page.getByText('The request as code').click();
  const curl = page.locator('.titled-code').filter({ hasText: 'curl -N' }).locator('pre');
  const command = await curl.innerText();
  const env = { ...process.env, AGENT_RUNTIME_API_KEY: app.key };

  await ask(page, 'Again.');
  await page.getByText(message).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('did not send a whole answer').waitFor();
  await page.getByRole('link', { name: 'Open the execution' }).last().waitFor();
  await assertFits(page);
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env });
  assert.match(stdout, /event: done/);
  const said = app.upstream.requests.map(({ body }) => body.messages[0].content);
  assert.deepEqual([said.at(-1), said.length], [said[0], 4]);
});

browserTest('Chat: images and files are attached, and sent', async (t) => {
  const app = await newApp(t, {}, { capabilities: { files: false } });
  const page = await chatPage(t, app);
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.getByText('Images: JPEG, PNG, GIF, WebP. No files.').waitFor();
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'pixel.png', mimeType: 'image/png', buffer: pixel },
    { name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
  ]);
  await page.getByText('note.pdf: local/llama3.2 takes no files.').waitFor();
  await page.getByRole('img', { name: 'Image to send' }).waitFor();
  await assertFits(page);
  await ask(page, 'What is it?');
  await answerOf(page, 'local/llama3.2').getByText('Olá mundo 🌍').waitFor();
  const [text, image] = app.upstream.requests[0]!.body.messages[0].content;
  assert.deepEqual([text.text, image.type], ['What is it?', 'image_url']);
  assert.match(image.image_url.url, /^data:image\/png;base64,/);
  await page.reload();
  await page.getByRole('img', { name: 'In the message' }).waitFor();
});

browserTest('Chat: the keyboard alone, at 320 pixels', async (t) => {
  const app = await newApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'Half an answer' }, { type: 'hold' }] }, {});
  const page = await chatPage(t, app, { viewport: NARROW });
  await message(page).focus();
  await page.keyboard.type('One');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await page.getByText('Half an answer').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped: this is what had come until then.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.getByText('Olá mundo 🌍').waitFor();
  await focused(message(page));
  assert.equal(app.upstream.requests[1]!.body.messages[0].content, 'One\ntwo');
  await announced(page, 'The answer has ended.');
  await assertFits(page);
  await page.getByRole('button', { name: 'Parameters and tools', exact: true }).press('Enter');
  await page.getByLabel('System instructions').waitFor();
  await assertFits(page);
});

browserTest('Chat: roles without the right, and workspaces without a provider, are told', async (t) => {
  const app = await testApp(t);
  const viewer = await portalPage(t, app, { path: PATH, role: 'VIEWER' });
  await viewer.getByText('Your role, Viewer, does not let you chat with models.').waitFor();
  const page = await portalPage(t, app, { path: PATH });
  await page.getByRole('heading', { name: 'No LLM provider is configured' }).waitFor();
  await assertFits(page);
  await page.getByRole('link', { name: 'Add an LLM provider' }).click();
  await page.waitForURL(/settings\/providers/);
});
