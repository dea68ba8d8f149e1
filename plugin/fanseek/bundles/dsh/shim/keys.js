/** Keys, looked up for each request by the names the settings hold. */

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * `{NAME: value}` of what could be found: in the harness's credentials where the profile has that service,
 * else in the environment the harness was started in. A service that fails is no reason to fail a search.
 */
export async function keysOf(settings, fields, { credentials, environment }) {
  const names = new Set();
  for (const [field, { reference, default: usual }] of Object.entries(fields)) {
    const name = settings[field] ?? usual;
    if (reference && NAME.test(name)) names.add(name);
  }
  const found = {};
  await Promise.all(
    [...names].map(async (name) => {
      const value = (await stored(credentials, name)) ?? started(environment, name);
      if (value) found[name] = value;
    }),
  );
  return found;
}

async function stored(credentials, name) {
  try {
    return (await credentials()?.resolve(name))?.value;
  } catch {
    return undefined; // the profile is going away, or has no such service
  }
}

function started(environment, name) {
  try {
    return environment(name);
  } catch {
    return undefined; // no launch environment in this profile
  }
}
