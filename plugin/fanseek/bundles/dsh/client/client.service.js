/** The harness's half as this page uses it: routes, settings, keys. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.service.js',
  factory: () => {
    const ROUTES = 'api/websearch/';
    const MOST_NAMES = 64;
    const CONFLICT = 'settings/conflict';

    function make({ React, ctx, ENTRY }) {
      const form = ctx.configForms.get(ENTRY);
      const web = ctx.configForms.get('web');
      let tail = Promise.resolve();

      /** A route's answer. Throws an Error whose message can be shown. */
      async function asked(path, init) {
        const response = await fetch(new URL(ROUTES + path, document.baseURI), { credentials: 'same-origin', ...init });
        let body;
        try {
          body = await response.json();
        } catch {
          throw new Error(`HTTP ${response.status}`);
        }
        if (!response.ok) throw new Error(body?.error?.message ?? `HTTP ${response.status}`);
        return body;
      }

      const posted = (path, body = {}) => {
        const headers = { 'content-type': 'application/json' };
        return asked(path, { method: 'POST', headers, body: JSON.stringify(body) });
      };

      const useForm = (one) => React.useSyncExternalStore(
        (listener) => one.subscribe(listener),
        () => one.getSnapshot(),
      );

      /**
       * One edit, in its turn. `seen` is `{value, revision}` as the person had them before the eyes. Where that revision
       * is no longer the newest: if this setting is still as it was seen, the edit is made on the new one; else it is
       * not made, and the answer is `{conflict: true, now}`.
       */
      function edited(name, op, seen) {
        const task = tail.then(() => written(name, op, seen));
        tail = task.catch(() => {});
        return task;
      }

      async function written(name, op, seen, again = true) {
        const answer = await ctx.remote.settings.mutate(ENTRY, [{ ...op, path: [name] }], seen.revision);
        const mirror = ctx.configForms.describe();
        if (answer.ok) {
          mirror.acceptView(answer.value);
          return { ok: true, value: form.getSnapshot().value?.[name], revision: answer.value.revision };
        }
        await mirror.load();
        const { value, revision } = form.getSnapshot();
        const now = value?.[name];
        if (answer.error?.code !== CONFLICT) return { ok: false, why: answer.error?.message ?? '', now, revision };
        if (again && now === seen.value) return written(name, op, { value: now, revision }, false);
        return { ok: false, conflict: true, now, revision };
      }

      /** `{name: {configured, source, writable}}`; undefined where the profile has no store of keys. */
      async function described(names) {
        const found = {};
        for (let start = 0; start < names.length; start += MOST_NAMES) {
          const answer = await ctx.remote.credentials.describe(names.slice(start, start + MOST_NAMES));
          if (!answer.ok) return undefined;
          Object.assign(found, answer.value);
        }
        return found;
      }

      async function settled(answer) {
        const { ok, error } = await answer;
        if (!ok) throw new Error(error?.message ?? '');
      }

      const service = {
        form,
        web,
        edited,
        described,
        schema: () => asked('schema'),
        status: (lang) => asked(`status?lang=${lang}`),
        history: () => asked('history'),
        clear: () => posted('history/clear'),
        test: (backend, lang) => posted(`test?lang=${lang}`, { backend }),
        store: (name, key) => settled(ctx.remote.credentials.set(name, key)),
        remove: (name) => settled(ctx.remote.credentials.unset(name)),
        select: () => web.set('searchProvider', 'unified'),
        onKeys: (listener) => ctx.remote.$on('credentials/reference-updated', listener),
      };
      return { service, useForm };
    }

    return { make };
  },
});
