"""What a browser posts."""

from pydantic import BaseModel, ConfigDict


class Form(BaseModel):
    """A form or a command; unknown fields and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)
