/** The harness's schema of the settings, made from fields.json, and the settings as they stand. */

/** The fields of `z.object`: every setting live; what is read only when the worker starts is not. */
export function configOf(z, fields) {
  const live = Object.entries(fields).map(([name, field]) => [name, schemaOf(z, field).volatile()]);
  return {
    ...Object.fromEntries(live),
    python: z.string().description('Python that has fanseek installed; read when the plugin starts.'),
    timeoutMs: z
      .number()
      .min(1000)
      .max(600_000)
      .step(1)
      .description("The most a search may take before its worker is given up; keep it below the tool's own limit."),
  };
}

function schemaOf(z, field) {
  if (field.choices) return described(z.union(field.choices), field);
  if (field.type === 'boolean') return described(z.boolean(), field);
  let schema = field.type === 'string' ? z.string() : z.number();
  if (field.type === 'integer') schema = schema.step(1);
  if (field.minimum !== undefined) schema = schema.min(field.minimum);
  if (field.maximum !== undefined) schema = schema.max(field.maximum);
  if (field.pattern !== undefined) schema = schema.pattern(new RegExp(field.pattern, 'u'));
  return described(schema, field);
}

function described(schema, field) {
  return field.description ? schema.description(field.description) : schema;
}

/** What was set, by name. What was not is left to the worker: its own defaults and config file decide. */
export function settingsOf(config, fields) {
  const settings = {};
  for (const name of Object.keys(fields)) {
    const value = config[name]?.get();
    if (value !== undefined && value !== null) settings[name] = value;
  }
  return settings;
}
