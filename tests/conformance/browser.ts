/** What a person's browser does, without a page: logs in, and allows whatever an application asks for. */
export class Browser {
  private readonly url: string;
  private readonly token: string;
  private answered = '';
  answers = 0;

  private constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  static async loggedIn(url: string, person: { email: string; password: string }): Promise<Browser> {
    const headers = { 'content-type': 'application/json' };
    const login = { method: 'POST', headers, body: JSON.stringify(person) };
    const { token } = (await (await fetch(`${url}/api/v1/portal/login`, login)).json()) as { token: string };
    return new Browser(url, token);
  }

  /** Opens the address of an authorization request in the output of a program, once. */
  readonly answer = (output: string): void => {
    const address = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0];
    if (address === undefined || address === this.answered) return;
    this.answered = address;
    this.answers += 1;
    void this.allow(address);
  };

  private async allow(address: string): Promise<void> {
    const begun = await fetch(address, { redirect: 'manual' });
    const id = begun.headers.get('location')?.split('/').at(-1);
    const request = `${this.url}/api/v1/portal/authorizations/${id}`;
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const { scopes } = (await (await fetch(request, { headers })).json()) as { scopes: { scope: string }[] };
    const body = JSON.stringify({ scopes: scopes.map(({ scope }) => scope) });
    const allowed = await fetch(`${request}/allow`, { method: 'POST', headers, body });
    const { continueAt } = (await allowed.json()) as { continueAt: string };
    const cookies = [...begun.headers.getSetCookie(), ...allowed.headers.getSetCookie()];
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
    const back = await fetch(continueAt, { redirect: 'manual', headers: { cookie } });
    await fetch(back.headers.get('location') ?? '');
  }
}
