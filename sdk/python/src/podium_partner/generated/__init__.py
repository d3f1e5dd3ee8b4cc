"""Generated from the OpenAPI document and the error catalogue."""
