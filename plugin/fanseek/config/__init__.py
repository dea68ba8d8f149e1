"""Settings: one flat form on the wire, nested in memory, generated schema."""

from fanseek.config.dirs import Folders, folders
from fanseek.config.environment import from_environment, from_text
from fanseek.config.load import load
from fanseek.config.settings import Settings

__all__ = ["Folders", "Settings", "folders", "from_environment", "from_text", "load"]
