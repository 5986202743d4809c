"""`python -m privet`."""

from privet.cli import main

if __name__ == "__main__":
    main()
