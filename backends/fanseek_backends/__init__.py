"""The backends that ship with Fanseek. One module each; every one exports BACKEND."""
